import Foundation
import KeyValueObservingFoundation

@KeyValueObservable
class ChainNode: NSObject {
  var title: String
  weak var next: ChainNode?
  var child: ChainNode?

  init(_ title: String) {
    self.title = title
  }
}

enum WeakChainExample {
  static func run() -> [String] {
    let root = ChainNode("root")
    let child = ChainNode("child")
    var lines: [String] = []
    root.child = child
    let path = "child.title"
    let observer = ChainObserver { lines.append($0) }
    root.addObserver(observer, forKeyPath: path, options: [.initial, .new], context: nil)
    child.title = "first"
    root.child = ChainNode("second")
    child.title = "unseen"
    root.removeObserver(observer, forKeyPath: path)
    root.child?.title = "removed"
    return lines
  }
}

final class ChainObserver: NSObject, NSKeyValueObserving {
  private let handler: (String) -> Void

  init(_ handler: @escaping (String) -> Void) {
    self.handler = handler
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let value = change?[.newKey] as! String
    handler("\(keyPath ?? "") \(value)")
  }
}
