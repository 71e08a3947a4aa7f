/// A key path in a string, checked as far as it can be before it is observed (P6).
struct StringPath {
  let text: String
  let parts: Parts

  enum Parts {
    /// The path is the key of a property and nothing else.
    case property(KeyValueProperty)
    case plan(KeyPathPlan)
  }

  /// Parses a path and checks it from `subject` on: links that are there against the object found,
  /// links that are nil against their declared type.
  init(_ text: String, from subject: some KeyValueObservable) throws(KeyValueCodingError) {
    self.text = text
    // Most paths are a single key, and to take it apart takes as long as to attach to it.
    if ParsedKeyPath.isKey(text) {
      parts = .property(
        try ThreadState.pauseRecording { () throws(KeyValueCodingError) in
          try subject.readableProperty(forKey: text)
        })
      return
    }
    let table = PropertyTable.of(type(of: subject))
    if let plan = table.stringPaths.find(text),
      ThreadState.pauseRecording({ plan.leads(from: subject) })
    {
      // Its classes are those against which it has been checked.
      parts = plan.parts(in: subject)
      return
    }
    let parsed = try ParsedKeyPath(text)
    if parsed.components.isEmpty { throw .noProperty(in: text) }
    try ThreadState.pauseRecording { () throws(KeyValueCodingError) in
      try parsed.check(from: subject)
    }
    // It begins with a key, as the check has found.
    parts = table.plan(of: parsed, in: text).unsafelyUnwrapped.parts(in: subject)
  }

  /// The value at the end of the path, nil where an intermediate object is nil or cannot be observed.
  func value(from subject: some KeyValueObservable) -> Any? {
    ThreadState.pauseRecording {
      switch parts {
      case .property(let property): property.value(of: subject)
      case .plan(let plan): plan.readValue(from: subject)
      }
    }
  }
}

extension KeyPathPlan {
  @inline(__always)
  fileprivate func parts(in subject: some KeyValueObservable) -> StringPath.Parts {
    let property =
      end == 0
      ? self[0]._withUnsafeGuaranteedRef { subject.keyValueProperty(forKey: $0.key) } : nil
    return property.map { .property($0) } ?? .plan(self)
  }
}

extension PropertyTable {
  /// The plan of a string path, nil if it begins with an operator.
  ///
  /// It is remembered if the classes declare all that is on the path.
  func plan(of parsed: ParsedKeyPath, in text: String) -> KeyPathPlan? {
    let plan = KeyPathPlan(parsed, from: type)
    if let plan, plan.isDeclared { stringPaths.insert(plan, for: text) }
    return plan
  }
}

extension KeyValueObservable {
  /// Rejects a string key path that could not be observed (P6), without registering anything.
  ///
  /// - `subject`: The object from which the path starts. Without one, the path is checked against
  ///   the class.
  package static func checkKeyPath(
    _ keyPath: String, from subject: Self?
  ) throws(KeyValueCodingError) {
    if let subject {
      _ = try StringPath(keyPath, from: subject)
    } else {
      try ParsedKeyPath(keyPath).check(against: Self.self)
    }
  }
}
