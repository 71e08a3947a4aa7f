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
  /// The last step whose key is that of a later one as well; -1 if there is none.
  let lastRepeated: Int
  /// The index of the last component: that of the last step, unless operators follow.
  let end: Int
  /// The path, if it is a string.
  let string: ParsedKeyPath?
  /// The type of the value.
  let valueType: Any.Type
  /// How the value of the last key is the value of the path, where the last step declares its property.
  let leaf: LeafValue?
  /// The value of the path where an intermediate object is nil; nil if none can be.
  let none: AnyValueBox?

  private init(
    _ steps: [PlanStep], end: Int, string: ParsedKeyPath? = nil, valueType: Any.Type,
    leaf: LeafValue?, none: AnyValueBox?
  ) {
    count = steps.count
    self.steps = .allocate(capacity: count)
    for (index, step) in steps.enumerated() {
      (self.steps + index).initialize(to: .passRetained(step))
    }
    lastRepeated =
      steps.indices.last { index in
        steps[(index + 1)...].contains { $0.key == steps[index].key }
      } ?? -1
    self.end = end
    self.string = string
    self.valueType = valueType
    self.leaf = leaf
    self.none = none
  }

  /// Returns nil if the value of the path is not that of its last property.
  convenience init?(
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
          property, of: type, isIntermediate: steps.count < properties.count - 1, isTyped: true))
      owner = observableType(unwrappedType(property.valueType))
    }
    let isForced =
      !(valueType is any OptionalValue.Type)
      && properties.dropLast().contains { $0.valueType is any OptionalValue.Type }
    self.init(
      steps, end: steps.count - 1, valueType: valueType, leaf: leaf,
      none: isForced ? AbsentValueBox() : leaf.none(of: last))
  }

  /// The path of the keys before the first operator.
  ///
  /// Returns nil if there are none.
  convenience init?(_ path: ParsedKeyPath, from root: any KeyValueObservable.Type) {
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
                isIntermediate: index < path.components.count - 1
                  && !path.leavesObjects(behind: index, $0), isTyped: index == 0)
          }
      }
      steps.append(declared ?? PlanStep(key: key))
      owner = (declared?.property?.valueType)
        .flatMap { unwrappedType($0) as? any KeyValueObservable.Type }
    }
    guard let last = steps.last else { return nil }
    let end = path.components.count - 1
    self.init(
      steps, end: end, string: path, valueType: Any?.self,
      leaf: steps.count == end + 1 ? last.property.map { .erased($0) } : nil,
      none: ValueBox<Any?>(nil))
  }

  deinit {
    for index in 0..<count { steps[index].release() }
    steps.deallocate()
  }

  /// Whether it takes longer to walk to the object with the last key than to look up where it is.
  var isLong: Bool { count > 2 }

  /// Whether a key is read of whatever object it starts from: the first one is no constant.
  var alwaysReadsKey: Bool { !self[0]._withUnsafeGuaranteedRef { $0.isConstant } }

  subscript(index: Int) -> Unmanaged<PlanStep> {
    @inline(__always) get { steps[index] }
  }

  /// Its keys, separated by dots.
  var text: String { string?.text ?? properties.map(\.key).joined(separator: ".") }

  /// The properties, as far as the classes declare them.
  var properties: [KeyValueProperty] {
    (0..<count).compactMap { self[$0]._withUnsafeGuaranteedRef { $0.property } }
  }

  /// Whether the classes declare all that is on the path: no step follows one that they do not declare.
  var isDeclared: Bool { leaf != nil }

  /// Whether the value of a key on a string path is a collection rather than an object that it leads to.
  ///
  /// An existential shows only when it is read.
  func leavesObjects(behind index: Int, _ property: KeyValueProperty) -> Bool {
    string?.leavesObjects(behind: index, property) ?? false
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
