/// The keys of a type, as far as a message can name them.
enum ListedKeys {
  /// The type is not observable, or its conformance is isolated to an actor, and this is not the place.
  case unknown
  /// An object has keys beside those of its class.
  case dynamic
  /// The class declares all keys.
  ///
  /// - `computed`: Those that a getter computes.
  case declared([String], computed: Set<String>)

  /// The keys, in a sentence.
  var sentence: String {
    switch self {
    case .unknown:
      "Keys are the properties of @KeyValueObservable classes that are not ignored."
    case .dynamic:
      "Its keys are those for which keyValueProperty(forKey:) returns a property."
    case .declared([], _):
      "It has no keys: declare properties in the body of a @KeyValueObservable class."
    case .declared(let keys, _):
      keys.count == 1 ? "Its only key is '\(keys[0])'." : "Its keys are \(list(keys))."
    }
  }

  /// How a property can be set that cannot be set by key.
  func wayToSet(_ key: String) -> String {
    guard case .declared(_, let computed) = self else {
      return "Change it with the API of the object."
    }
    return computed.contains(key)
      ? "Give it a setter, or set the properties from which it is computed."
      : "Declare it with `var` and an accessible setter, or set it inside the class."
  }
}
