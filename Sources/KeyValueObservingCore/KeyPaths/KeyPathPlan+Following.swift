internal import Synchronization

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

  /// The property that a step finds in an object.
  enum FoundProperty {
    // Not retained, which all threads would count (row: top link replaced).
    /// One that the class lists, whose table keeps it.
    case listed(Unmanaged<KeyValueProperty>)
    /// One that the object makes.
    case made(KeyValueProperty)
    /// The object has no such key.
    case none

    @inline(__always)
    func map<Result>(_ body: (KeyValueProperty) -> Result) -> Result? {
      switch self {
      case .listed(let property): property._withUnsafeGuaranteedRef(body)
      case .made(let property): body(property)
      case .none: nil
      }
    }
  }

  /// The end of a path, or the step at which it stops.
  enum Destination {
    case property(FoundProperty, of: AnyObject)
    /// An intermediate object is nil.
    case none
    /// The rest of a string path is asked of the value of a step.
    indirect case value(Any, of: KeyValueProperty, in: AnyObject, at: Int)
    /// An object has no such key.
    case broken
  }

  /// Follows the path from object to object.
  ///
  /// - `find`: Finds the property of a step in an object. If the class of the step before does not declare that its
  ///   value is an object, it gets the property that led there as well.
  @inline(__always)
  func follow(
    from subject: AnyObject, find: (Int, AnyObject, KeyValueProperty?) -> FoundProperty
  ) -> Destination {
    var object = subject
    var former: KeyValueProperty?
    for index in 0..<count {
      let found = find(index, object, former.take())
      if index == end { return .property(found, of: object) }
      if case .listed(let property) = found, index < count - 1,
        self[index]._withUnsafeGuaranteedRef({ $0.leadsOn })
      {
        guard let next = property._withUnsafeGuaranteedRef({ $0.object(in: object) }) else {
          return .none
        }
        object = next
        continue
      }
      guard let property = found.map({ $0 }) else { return .broken }
      guard let value = property.value(of: object) else { return .none }
      guard index < count - 1, let next = observableObject(value) else {
        return .value(value, of: property, in: object, at: index)
      }
      (object, former) = (next, property)
    }
    return .broken
  }

  private func destination(from subject: AnyObject) -> Destination {
    follow(from: subject) { index, object, _ in found(at: index, in: object) }
  }

  private func found(at index: Int, in object: AnyObject) -> FoundProperty {
    self[index]._withUnsafeGuaranteedRef { step in
      if string == nil, let declared = step.declared { return .listed(declared) }
      if let walkable = step.walkableProperty(of: object) {
        return .listed(walkable._withUnsafeGuaranteedRef { .passUnretained($0.property) })
      }
      let property = step.observable(object).flatMap { try? dynamicProperty(step, of: $0) }
      return property.map { .made($0) } ?? .none
    }
  }

  /// Reads the value, nil where the path unwraps an intermediate object that is nil.
  func value(from subject: AnyObject) -> AnyValueBox? {
    if string != nil { return ValueBox<Any?>(readValue(from: subject)) }
    guard case .property(let found, let object) = destination(from: subject) else { return none }
    return found.map { value(of: $0, in: object) }
  }

  /// Reads the value of a string path, nil where an intermediate object is nil or has no such key.
  func readValue(from subject: AnyObject) -> Any? {
    switch destination(from: subject) {
    case .property(let found, let object): found.map { $0.value(of: object) } ?? nil
    case .value(let value, _, _, let index):
      (try? string?.value(from: index + 1, of: value)) ?? nil
    default: nil
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
    found(at: count - 1, in: object).map { value(of: $0, in: object) }
  }

  /// Reads the value as an `Any?` that is never doubly wrapped, each property once.
  ///
  /// Returns nil where the path leads through more than objects with its keys.
  func erasedValue(from subject: AnyObject) -> Any?? {
    switch destination(from: subject) {
    case .property(let found, let object): found.map { $0.value(of: object) }
    case .none: .some(nil)
    default: nil
    }
  }

  /// The last property, and the object that has it; nil where the path does not lead there.
  func lastProperty(from subject: AnyObject) -> (KeyValueProperty, AnyObject)? {
    guard case .property(let found, let object) = destination(from: subject) else { return nil }
    return found.map { ($0, object) }
  }

  /// The key whose object is nil, so that the path leads no further; nil if there is none.
  func keyOfNil(from subject: AnyObject) -> String? {
    var last = 0
    let destination = follow(from: subject) { index, object, _ in
      last = index
      return found(at: index, in: object)
    }
    guard case .none = destination else { return nil }
    return self[last]._withUnsafeGuaranteedRef { $0.key }
  }

  /// Whether every object from `subject` on has its key.
  func leads(from subject: AnyObject) -> Bool {
    switch destination(from: subject) {
    case .property(let found, _): found.map { _ in true } ?? false
    case .none: true
    default: false
    }
  }
}

// The property and the object that a step finds in an object.
extension PlanStep {
  /// The property as the class of an object has it, if a path may be walked through it; nil for all others.
  @inline(__always)
  func walkableProperty(of object: AnyObject) -> Unmanaged<ClassProperty>? {
    guard let listedProperty, let owner else { return nil }
    let type = ObjectIdentifier(Swift.type(of: object))
    let isWalkable = listedProperty._withUnsafeGuaranteedRef {
      ObjectIdentifier($0.owner) == type && $0.isKnownWalkable
    }
    return isWalkable
      ? listedProperty : probeWalkable(listedProperty.takeUnretainedValue(), owner, object)
  }

  private func probeWalkable<Owner: KeyValueObservable>(
    _ listed: ClassProperty, _: Owner.Type, _ object: AnyObject
  ) -> Unmanaged<ClassProperty>? {
    if !isTyped, !(object is Owner) { return nil }
    let object = unsafeDowncast(object, to: Owner.self)
    let type = Swift.type(of: object)
    if listed.owner == type {
      return listed.isWalkable(in: object) ? .passUnretained(listed) : nil
    }
    if let last = UnsafeRawPointer(bitPattern: other.load(ordering: .acquiring)) {
      let last = Unmanaged<ClassProperty>.fromOpaque(last)
      if last._withUnsafeGuaranteedRef({ $0.owner == type }) { return last }
    }
    guard let found = PropertyTable.of(type).classProperty(named: key),
      found.property.valueType == listed.property.valueType,
      found.property.kind == listed.property.kind, found.property.name == listed.property.name,
      found.isWalkable(in: object)
    else { return nil }
    let unmanaged = Unmanaged.passUnretained(found)
    other.store(UInt(bitPattern: unmanaged.toOpaque()), ordering: .releasing)
    return unmanaged
  }

  /// An object that the path has found there.
  func observable(_ object: AnyObject) -> (any KeyValueObservable)? {
    func cast<Owner: KeyValueObservable>(_: Owner.Type) -> any KeyValueObservable {
      unsafeDowncast(object, to: Owner.self)
    }
    return isTyped ? owner.map { cast($0) } : observableObject(object)
  }

  /// The context of an object that has a walkable property.
  func context(of object: AnyObject) -> Unmanaged<ObservationContext> {
    func context<Owner: KeyValueObservable>(_: Owner.Type) -> Unmanaged<ObservationContext> {
      unsafeDowncast(object, to: Owner.self).keyValueRegistrar.madeContext
    }
    return context(owner.unsafelyUnwrapped)
  }
}
