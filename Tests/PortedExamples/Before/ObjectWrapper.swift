import Foundation

/// Observes any object by a key path that is a string.
class KeyPathWatcher: NSObject {
  private weak var object: NSObject?
  private let keyPath: String
  private let handler: (Any?) -> Void

  init(_ object: NSObject, keyPath: String, handler: @escaping (Any?) -> Void) {
    self.object = object
    self.keyPath = keyPath
    self.handler = handler
    super.init()
    object.addObserver(self, forKeyPath: keyPath, options: [.new], context: nil)
  }

  deinit {
    object?.removeObserver(self, forKeyPath: keyPath)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    handler(change?[.newKey])
  }
}

/// The same with a typed key path.
final class TypedWatcher<Object: NSObject, Value>: KeyPathWatcher {
  init?(_ object: Object, _ keyPath: KeyPath<Object, Value>, handler: @escaping (Value?) -> Void) {
    guard let name = keyPath._kvcKeyPathString else { return nil }
    super.init(object, keyPath: name) { handler($0 as? Value) }
  }
}

func follow<Object: NSObject, Value>(
  _ object: Object, _ keyPath: KeyPath<Object, Value>, _ handler: @escaping (Value) -> Void
) -> NSKeyValueObservation {
  object.observe(keyPath, options: [.initial]) { object, _ in handler(object[keyPath: keyPath]) }
}

final class Lamp: NSObject {
  @objc dynamic var level = 0
}

enum ObjectWrapperExample {
  static func run() -> [String] {
    let lamp = Lamp()
    var lines: [String] = []
    let watcher = KeyPathWatcher(lamp, keyPath: #keyPath(Lamp.level)) { value in
      lines.append("string \(value as? Int ?? -1)")
    }
    let typed = TypedWatcher(lamp, \.level) { value in lines.append("typed \(value ?? -1)") }
    let token = follow(lamp, \.level) { lines.append("follow \($0)") }
    lamp.level = 3
    token.invalidate()
    withExtendedLifetime((watcher, typed)) {}
    return lines
  }
}
