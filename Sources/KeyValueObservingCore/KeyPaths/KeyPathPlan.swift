/// The keys of a path, one step for each: it is walked from object to object, which takes a fraction of the
/// time of evaluating it and listing what is read.
///
/// A typed path has the properties that it was found to be made of (`KeyPathDecomposer`). A string path has
/// one step for each key before its first operator. Its classes declare the properties of the first steps;
/// behind a value whose class is not declared, each object has to be asked for its own.
final class KeyPathPlan: @unchecked Sendable {  // immutable
  /// The keys, retained.
  ///
  /// A buffer, because taking them out of an array would retain each once more.
  private let steps: UnsafeMutablePointer<Unmanaged<PlanStep>>
  let count: Int
  /// The index of the last component: that of the last step, unless operators follow.
  let end: Int
  /// The path, if it is a string.
  let string: ParsedKeyPath?
  /// The type of the value.
  private let valueType: Any.Type
  /// How the value of the last key is the value of the path, where the last step declares its property.
  let leaf: LeafValue?
  /// The value of the path where a link is nil; nil if the path unwraps the link and traps there, which
  /// only evaluating it does.
  let none: AnyValueBox?

  /// Returns nil if the value of the path is not that of its last property.
  init?(
    _ properties: [KeyValueProperty], from root: any KeyValueObservable.Type, to valueType: Any.Type
  ) {
    guard let last = properties.last, let leaf = LeafValue(of: last, in: valueType) else {
      return nil
    }
    var steps: [PlanStep] = []
    var owner: (any KeyValueObservable.Type)? = root
    for property in properties {
      guard let type = owner else { return nil }
      steps.append(
        PlanStep(
          property, of: type, isBeforeLast: steps.count < properties.count - 1, isTyped: true))
      owner = observableType(unwrappedType(property.valueType))
    }
    (self.steps, count) = Self.buffer(of: steps)
    self.valueType = valueType
    self.leaf = leaf
    end = count - 1
    string = nil
    let isForced =
      !(valueType is any OptionalValue.Type)
      && properties.dropLast().contains { $0.valueType is any OptionalValue.Type }
    none = isForced ? nil : leaf.none(of: last)
  }

  /// The path of the keys before the first operator.
  ///
  /// Returns nil if there are none.
  init?(_ path: ParsedKeyPath, from root: any KeyValueObservable.Type) {
    var steps: [PlanStep] = []
    var owner: (any KeyValueObservable.Type)? = root
    for (index, component) in path.components.enumerated() {
      guard case .key(let key) = component else { break }
      let declared = owner.flatMap { owner in
        // A subclass may have another property of that key.
        PropertyTable.of(owner).property(named: key)
          .flatMap {
            $0.isPrivate || $0.name.isOfOneClass
              ? nil
              : PlanStep(
                $0, of: owner,
                isBeforeLast: index < path.components.count - 1
                  && !path.leavesObjects(behind: index, $0), isTyped: index == 0)
          }
      }
      steps.append(declared ?? PlanStep(key: key))
      owner = (declared?.property?.valueType)
        .flatMap { unwrappedType($0) as? any KeyValueObservable.Type }
    }
    guard let last = steps.last else { return nil }
    (self.steps, count) = Self.buffer(of: steps)
    end = path.components.count - 1
    string = path
    valueType = Any?.self
    leaf = count == end + 1 ? last.property.map { .erased($0) } : nil
    none = ValueBox<Any?>(nil)
  }

  private static func buffer(
    of steps: [PlanStep]
  ) -> (UnsafeMutablePointer<Unmanaged<PlanStep>>, Int) {
    let buffer = UnsafeMutablePointer<Unmanaged<PlanStep>>.allocate(capacity: steps.count)
    for index in steps.indices { (buffer + index).initialize(to: .passRetained(steps[index])) }
    return (buffer, steps.count)
  }

  deinit {
    for index in 0..<count { steps[index].release() }
    steps.deallocate()
  }

  /// Whether it takes longer to walk to the object with the last key than to look up where it is.
  var isLong: Bool { count > 2 }

  subscript(index: Int) -> Unmanaged<PlanStep> {
    @inline(__always) get { steps[index] }
  }

  /// Its keys, separated by dots.
  var text: String { string?.text ?? properties.map(\.key).joined(separator: ".") }

  /// The properties, as far as the classes declare them.
  var properties: [KeyValueProperty] {
    (0..<count).compactMap { self[$0]._withUnsafeGuaranteedRef { $0.property } }
  }

  /// Whether the classes declare all that is on the path.
  var isDeclared: Bool { properties.count == end + 1 }

  /// Whether the value of a key on a string path is a collection rather than an object that it leads to.
  ///
  /// An existential shows only when it is read.
  func leavesObjects(behind index: Int, _ property: KeyValueProperty) -> Bool {
    string?.leavesObjects(behind: index, property) ?? false
  }

  // MARK: Following the path

  /// The property of a step as an object has it, whose changes are those of the step.
  func ownProperty(
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
    /// A link is nil.
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
        guard let next = steps[index]._withUnsafeGuaranteedRef({ $0.object(in: object) }) else {
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
      && steps[index]._withUnsafeGuaranteedRef {
        $0.leadsOn && (string == nil || $0.plainProperty(of: object) != nil)
      }
  }

  private func property(at index: Int, of object: AnyObject) -> KeyValueProperty? {
    steps[index]._withUnsafeGuaranteedRef { step in
      if string == nil { return step.property }
      if let plain = step.plainProperty(of: object) {
        return plain._withUnsafeGuaranteedRef { $0.property }
      }
      return step.observable(object).flatMap { try? ownProperty(step, of: $0) }
    }
  }

  /// Reads the value, nil where the path unwraps a link that is nil.
  func value(from subject: AnyObject) -> AnyValueBox? {
    if string != nil { return ValueBox<Any?>(readValue(from: subject)) }
    guard case .property(let property, let object) = destination(from: subject) else {
      return none
    }
    return value(of: property, in: object)
  }

  /// Reads the value of a string path, nil where a link is nil or has no such key.
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
    property(at: count - 1, of: object).map { value(of: $0, in: object) }
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

  /// Whether every object from `subject` on has its key.
  func leads(from subject: AnyObject) -> Bool {
    switch destination(from: subject) {
    case .property, .none: true
    case .value, .broken: false
    }
  }
}

/// Whether a string path goes on from a value to all members of a collection.
func isCollection(_ value: Any) -> Bool {
  value is any MemberCollection || value is any KeyedCollection
}

extension ParsedKeyPath {
  /// Whether the value of a key is, as declared, a collection rather than an object that it leads to.
  fileprivate func leavesObjects(behind index: Int, _ property: KeyValueProperty) -> Bool {
    if case .collectionOperator = components[index + 1] { return true }
    let type = unwrappedType(property.declaredType)
    return type is any MemberCollection.Type || type is any KeyedCollection.Type
  }
}
