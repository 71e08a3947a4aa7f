internal import KeyValueObservingCore

extension KeyValueRegistration {
  /// The class and the key path, as a failure names them.
  var text: String {
    // Swift hides the names of computed properties, as all of a macro's are, unless the path is one
    // that the library knows.
    if keyPath.contains("<computed ") { return "a key path of \(subject)" }
    return keyPath.hasPrefix("\\") ? keyPath : "\(subject).\(keyPath)"
  }
}
