// Following a path from object to object.
extension KeyPathPlan {
  /// The property of a step as an object has it, whose changes are those of the step.
  func dynamicProperty(
    _ step: PlanStep, of object: some KeyValueObservable
  ) throws(KeyValueCodingError) -> KeyValueProperty {
    guard string == nil, let property = step.property else {
      return try object.readableProperty(forKey: step.key)
    }
    return object.keyValueProperty(named: property.name) ?? property
  }

  /// How the value of a last property that an object has is the value of the path, if it is.
  func leaf(of property: KeyValueProperty) -> LeafValue? {
    string == nil ? LeafValue(of: property, in: valueType) : .erased(property)
  }

  /// The value of a step before the last.
  enum Next {
    case object(AnyObject)
    case none
    /// Something that is no observable object, such as a collection.
    case value(Any)
  }

  func next(behind property: KeyValueProperty, in object: AnyObject) -> Next {
    guard let value = property.value(of: object) else { return .none }
    return observableObject(value).map { .object($0) } ?? .value(value)
  }

  /// The end of a path, or the step at which it stops.
  private enum Destination {
    case property(KeyValueProperty, of: AnyObject)
    /// An intermediate object is nil.
    case none
    /// The rest of a string path is asked of a value.
    case value(Any, from: Int)
    /// An object has no such key.
    case broken
  }

  private func destination(from subject: AnyObject) -> Destination {
    var object = subject
    for index in 0..<count {
      if leadsOn(at: index, from: object) {
        guard let next = self[index]._withUnsafeGuaranteedRef({ $0.object(in: object) }) else {
          return .none
        }
        object = next
        continue
      }
      guard let property = property(at: index, of: object) else { return .broken }
      if index == end { return .property(property, of: object) }
      switch next(behind: property, in: object) {
      case .object(let next): object = next
      case .none: return .none
      case .value(let value): return .value(value, from: index + 1)
      }
      if index == count - 1 { return .value(object, from: count) }
    }
    return .broken
  }

  /// Whether the declared property of an object leads to the next one.
  private func leadsOn(at index: Int, from object: AnyObject) -> Bool {
    index < count - 1
      && self[index]._withUnsafeGuaranteedRef {
        $0.leadsOn && (string == nil || $0.walkableProperty(of: object) != nil)
      }
  }

  private func property(at index: Int, of object: AnyObject) -> KeyValueProperty? {
    self[index]._withUnsafeGuaranteedRef { step in
      if string == nil { return step.property }
      if let walkable = step.walkableProperty(of: object) {
        return walkable._withUnsafeGuaranteedRef { $0.property }
      }
      return step.observable(object).flatMap { try? dynamicProperty(step, of: $0) }
    }
  }

  /// Reads the value, nil where the path unwraps an intermediate object that is nil.
  func value(from subject: AnyObject) -> AnyValueBox? {
    if string != nil { return ValueBox<Any?>(readValue(from: subject)) }
    guard case .property(let property, let object) = destination(from: subject) else {
      return none
    }
    return value(of: property, in: object)
  }

  /// Reads the value of a string path, nil where an intermediate object is nil or has no such key.
  func readValue(from subject: AnyObject) -> Any? {
    switch destination(from: subject) {
    case .property(let property, let object): property.value(of: object)
    case .none, .broken: nil
    case .value(let value, let index): (try? string?.value(from: index, of: value)) ?? nil
    }
  }

  /// Reads the value of the last property.
  func value(of property: KeyValueProperty, in object: AnyObject) -> AnyValueBox {
    if string != nil { return ValueBox<Any?>(property.value(of: object)) }
    return property.valueType == valueType
      ? property.box(of: object) : property.optionalBox(of: object)
  }

  /// Reads the value in the object that has the last key.
  func value(in object: AnyObject) -> AnyValueBox? {
    // Without a reference to the property, which all threads would count (row: top link replaced).
    if string == nil, let property = self[count - 1]._withUnsafeGuaranteedRef({ $0.declared }) {
      return property._withUnsafeGuaranteedRef { value(of: $0, in: object) }
    }
    return property(at: count - 1, of: object).map { value(of: $0, in: object) }
  }

  /// Reads the value as an `Any?` that is never doubly wrapped, each property once.
  ///
  /// Returns nil where the path leads through more than objects with its keys.
  func erasedValue(from subject: AnyObject) -> Any?? {
    switch destination(from: subject) {
    case .property(let property, let object): .some(property.value(of: object))
    case .none: .some(nil)
    case .value, .broken: nil
    }
  }

  /// The last property, and the object that has it; nil where the path does not lead there.
  func lastProperty(from subject: AnyObject) -> (KeyValueProperty, AnyObject)? {
    guard case .property(let property, let object) = destination(from: subject) else { return nil }
    return (property, object)
  }

  /// Whether an intermediate object is nil.
  func stopsAtNil(from subject: AnyObject) -> Bool {
    if case .none = destination(from: subject) { true } else { false }
  }

  /// Whether every object from `subject` on has its key.
  func leads(from subject: AnyObject) -> Bool {
    switch destination(from: subject) {
    case .property, .none: true
    case .value, .broken: false
    }
  }
}
