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

  /// Why a property, or the value at the end of a key path, cannot be set by key.
  func reasonAgainstSetting(_ key: String) -> String {
    isKeyPath(key)
      ? "the key path runs through a collection or a dictionary, whose members cannot be bound"
      : "the property has no setter that can be called by key"
  }

  /// Whether a key is a key path of keys that the class declares.
  private func isKeyPath(_ key: String) -> Bool {
    if case .declared = self { key.contains(".") } else { false }
  }

  /// How a property can be set that cannot be set by key.
  func wayToSet(_ key: String) -> String {
    guard case .declared(_, let computed) = self else {
      return "Change it with the API of the object."
    }
    if isKeyPath(key) {
      return "Bind the property that holds it, or a computed property with a setter for the value."
    }
    return computed.contains(key)
      ? "Give it a setter, or set the properties from which it is computed."
      : "Declare it with `var` and an accessible setter, or set it inside the class."
  }
}
