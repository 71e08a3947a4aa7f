/// A key path in a string, checked as far as it can be before it is observed (P6).
struct StringPath {
  let text: String
  /// The property, if the path is its key and nothing else.
  let onlyProperty: KeyValueProperty?
  private let knownPlan: KeyPathPlan?

  /// Parses a path and checks it from `subject` on: links that are there against the object found,
  /// links that are nil against their declared type.
  init(_ text: String, from subject: some KeyValueObservable) throws(KeyValueCodingError) {
    self.text = text
    // Most paths are a single key, and to take it apart takes as long as to attach to it.
    if ParsedKeyPath.isKey(text) {
      onlyProperty = try KeyValueRegistrar.untracked { () throws(KeyValueCodingError) in
        try subject.readableProperty(forKey: text)
      }
      knownPlan = nil
      return
    }
    let table = PropertyTable.of(type(of: subject))
    if let plan = table.stringPaths.find(text),
      KeyValueRegistrar.untracked({ plan.leads(from: subject) })
    {
      // Its classes are those against which it has been checked.
      (knownPlan, onlyProperty) = (plan, plan.onlyProperty(of: subject))
      return
    }
    let parsed = try ParsedKeyPath(text)
    if parsed.components.isEmpty { throw .noProperty(in: text) }
    try KeyValueRegistrar.untracked { () throws(KeyValueCodingError) in
      try parsed.check(from: subject)
    }
    let plan = table.plan(of: parsed, in: text)
    (knownPlan, onlyProperty) = (plan, plan?.onlyProperty(of: subject))
  }

  /// The plan of the path, which `check` has found to begin with a key.
  func plan(from type: any KeyValueObservable.Type) -> KeyPathPlan {
    knownPlan ?? KeyPathPlan(ParsedKeyPath(key: text), from: type).unsafelyUnwrapped
  }

  /// The value at the end of the path, nil where an intermediate object is nil or cannot be observed.
  func value(from subject: some KeyValueObservable) -> Any? {
    KeyValueRegistrar.untracked {
      onlyProperty.map { $0.value(of: subject) }
        ?? plan(from: type(of: subject)).readValue(from: subject)
    }
  }
}

extension KeyPathPlan {
  fileprivate func onlyProperty(of subject: some KeyValueObservable) -> KeyValueProperty? {
    end == 0
      ? self[0]._withUnsafeGuaranteedRef { subject.keyValueProperty(forKey: $0.key) } : nil
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
