/// A collection or an optional, in which observable objects may be.
private protocol ObjectContainer {
  func forEachObservableObject(_ body: (any KeyValueObservable) -> Void)
}

extension Array: ObjectContainer {
  fileprivate func forEachObservableObject(_ body: (any KeyValueObservable) -> Void) {
    if isFreeOfObjects(Element.self) { return }
    for element in self { KeyValueObservingCore.forEachObservableObject(in: element, body) }
  }
}

extension Set: ObjectContainer {
  fileprivate func forEachObservableObject(_ body: (any KeyValueObservable) -> Void) {
    if isFreeOfObjects(Element.self) { return }
    for element in self { KeyValueObservingCore.forEachObservableObject(in: element, body) }
  }
}

extension Dictionary: ObjectContainer {
  fileprivate func forEachObservableObject(_ body: (any KeyValueObservable) -> Void) {
    if isFreeOfObjects(Value.self) { return }
    for value in values { KeyValueObservingCore.forEachObservableObject(in: value, body) }
  }
}

extension Optional: ObjectContainer {
  fileprivate func forEachObservableObject(_ body: (any KeyValueObservable) -> Void) {
    if let self { KeyValueObservingCore.forEachObservableObject(in: self, body) }
  }
}

/// Calls a closure with a value that is an observable object, or with those in a collection.
func forEachObservableObject(in value: Any?, _ body: (any KeyValueObservable) -> Void) {
  guard let value else { return }
  if let object = observableObject(value) {
    body(object)
  } else if let container = value as? any ObjectContainer {
    container.forEachObservableObject(body)
  }
}

extension KeyValueProperty {
  /// Whether its values may be or contain objects that it holds strongly.
  var isReferring: Bool {
    (kind == .stored || kind == .constant) && !isFreeOfObjects(valueType)
  }
}

extension PropertyTable {
  /// The properties whose values may be or contain objects that they hold strongly.
  var referringProperties: [KeyValueProperty] { allProperties.filter(\.isReferring) }

  /// The properties that store a value.
  var recordableProperties: [KeyValueProperty] {
    allProperties.filter { $0.kind == .stored || $0.kind == .weak }
  }
}
