import KeyValueObserving

@testable import KeyValueObservingCore

@KeyValueObservable
final class MacroNode {
  var name: String?
  var count = 0
  var child: Any?
  var summary: String { "\(name ?? "?") \(count)" }
}

/// The kinds of object that keep the contract.
enum Kind: String, CaseIterable {
  case macro, handWritten, dictionary

  func make(_ name: String? = nil) -> Subject {
    let object: any KeyValueObservable =
      switch self {
      case .macro: MacroNode()
      case .handWritten: HandWrittenNode()
      case .dictionary: KeyValueDictionary(["count": 0])
      }
    let subject = Subject(object: object)
    subject["name"] = name
    return subject
  }

  /// The next kind, for paths that cross from one into another.
  var other: Kind {
    switch self {
    case .macro: .handWritten
    case .handWritten: .dictionary
    case .dictionary: .macro
    }
  }
}

/// An object of any kind, used through its keys.
struct Subject {
  let object: any KeyValueObservable

  subscript(key: String) -> Any? {
    get { try! object.value(forKey: key) }
    nonmutating set {
      try! object.setValue((newValue as? Subject)?.object ?? newValue, forKey: key)
      checkInvariants()
    }
  }

  func observe(
    _ keyPath: String, options: KeyValueObservation.Options = [],
    _ handler: @escaping (KeyValueChange<Any?>) -> Void
  ) throws -> KeyValueObservation {
    func observe<Object: KeyValueObservable>(_ object: Object) throws -> KeyValueObservation {
      try object.observe(keyPath, options: options) { _, change in handler(change) }
    }
    defer { checkInvariants() }
    return try observe(object)
  }

  func observer(
    _ keyPath: String, options: KeyValueObservation.Options = [],
    _ callback: @escaping (KeyValueChange<Any?>, KeyValueChangeReason) -> Void
  ) throws -> KeyValueObserver {
    func observer<Object: KeyValueObservable>(_ object: Object) throws -> KeyValueObserver {
      try KeyValueObserver(
        source: object, keyPath: keyPath, options: options, callback: callback)
    }
    return try observer(object)
  }

  func checkInvariants() {
    object.observationContext.checkInvariants()
  }
}
