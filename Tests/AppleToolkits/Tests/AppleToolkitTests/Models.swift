import LifecycleObserving
import UIKit

@MainActor @KeyValueObservable
final class Document {
  var title = "a"
}

/// Writes down the moments of an owner.
@MainActor
final class Log: @MainActor LifecycleObserver {
  private(set) var lines: [String] = []

  func write(_ line: String) { lines.append(line) }

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  func didLoad(_ owner: any LifecycleOwner) { lines.append("did load") }
  func willAppear(_ owner: any LifecycleOwner) { lines.append("will appear") }
  func didAppear(_ owner: any LifecycleOwner) { lines.append("did appear") }
  func willDisappear(_ owner: any LifecycleOwner) { lines.append("will disappear") }
  func didDisappear(_ owner: any LifecycleOwner) { lines.append("did disappear") }
}

/// A controller that observes a document while it is presented.
final class Reader: UIViewController {
  private let document: Document
  let log = Log()
  var header = ""

  init(_ document: Document) {
    self.document = document
    super.init()
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    addLifecycleObserver(log)
    document.observe(\.title, while: .presented, of: self, options: [.initial, .new]) {
      reader, change in
      reader.header = change.newValue ?? ""
      reader.log.write("title \(reader.header)")
    }
  }
}
