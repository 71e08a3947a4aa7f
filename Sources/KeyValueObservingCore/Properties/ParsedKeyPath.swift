/// A key path in a string, taken apart.
///
/// Key-value coding evaluates it, and observing checks it: both read the same grammar.
struct ParsedKeyPath {
  let text: String
  /// The components in their order; none if the path leads to the object itself.
  let components: [Component]

  enum Component: Equatable {
    case key(String)
    /// All components behind it are its operand.
    case collectionOperator(CollectionOperator)
  }

  /// Takes a path apart.
  ///
  /// `self` stands for the object itself, wherever it is.
  init(_ text: String) throws(KeyValueCodingError) {
    if text.isEmpty { throw .emptyKeyPath }
    var components: [Component] = []
    var pending: CollectionOperator?
    // By bytes: a dot with a combining mark on it would be another character, and no dot.
    for part in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      let word = String(Substring(part))
      guard let first = part.first else { throw .emptyComponent(in: text) }
      pending = nil
      if first == UInt8(ascii: "@") {
        guard let found = CollectionOperator(rawValue: word) else {
          throw .unknownOperator(word, in: text)
        }
        components.append(.collectionOperator(found))
        if found.needsOperand { pending = found }
      } else if word != "self" {
        components.append(.key(word))
      }
    }
    if let pending { throw .missingOperand(of: pending, in: text) }
    self.text = text
    self.components = components
  }

  /// Whether a text is a key by itself, as most paths are, with no component to be taken apart.
  static func isKey(_ text: String) -> Bool {
    text.withKeyName { name in
      let bytes = UnsafeBufferPointer(start: name.start, count: Int(name.count))
      return bytes.first.map { $0 != UInt8(ascii: "@") } ?? false
        && !bytes.contains(UInt8(ascii: ".")) && text != "self"
    }
  }

  /// The keys, without the operators.
  var keys: [String] {
    components.compactMap { component in
      if case .key(let key) = component { key } else { nil }
    }
  }

  /// The first operator, if there is one.
  var firstOperator: CollectionOperator? {
    for case .collectionOperator(let found) in components { return found }
    return nil
  }

  /// Only what a key names can be set.
  func checkCanBeSet() throws(KeyValueCodingError) {
    if let found = firstOperator { throw .result(of: found, in: text) }
    if components.isEmpty { throw .noProperty(in: text) }
  }

  /// The operator or the key that passes a value to the operator at `index`, for errors.
  func source(before index: Int) -> String {
    guard index > 0, case .collectionOperator(let outer) = components[index - 1] else {
      return link(before: index)
    }
    return outer.rawValue
  }

  /// The key that leads to what the component at `index` is asked of, for errors.
  func link(before index: Int) -> String {
    for case .key(let key) in components[..<index].reversed() { return key }
    return "self"
  }
}
