/// A path whose keys are all known, and all stored: it is walked from object to object, which takes
/// a fraction of the time of evaluating it and listing what is read.
final class KeyPathPlan: @unchecked Sendable {  // immutable
  /// The keys, retained.
  ///
  /// A buffer, because taking them out of an array would retain each once more.
  private let steps: UnsafeMutablePointer<Unmanaged<PlanStep>>
  let count: Int
  /// How the value of the last key is the value of the path.
  let leaf: LeafValue
  /// The value of the path where a link is nil.
  let none: AnyValueBox

  /// Returns nil if there is a key through which a path cannot be walked.
  init?(_ properties: [KeyValueProperty], from root: any KeyValueObservable.Type, leaf: LeafValue?)
  {
    guard let last = properties.last else { return nil }
    var steps: [PlanStep] = []
    var owner: (any KeyValueObservable.Type)? = root
    for property in properties {
      guard let type = owner, property.isStoredOrConstant,
        property.kind != .weak || property.holdsObject,
        let listed = PropertyTable.of(type).classProperty(named: property.key),
        listed.property === property
      else { return nil }
      steps.append(PlanStep(listed, of: type))
      owner =
        property.holdsObject
        ? observableType(unwrappedType(property.valueType)) : nil
    }
    count = steps.count
    self.steps = .allocate(capacity: steps.count)
    for index in steps.indices {
      (self.steps + index).initialize(to: .passRetained(steps[index]))
    }
    self.leaf = leaf ?? .erased(last)
    none = self.leaf.none(of: last)
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
  var text: String {
    (0..<count).map { self[$0]._withUnsafeGuaranteedRef { $0.property.key } }
      .joined(separator: ".")
  }

  /// Reads the value, nil where a link is nil.
  func value(from subject: AnyObject) -> AnyValueBox {
    var object = subject
    for index in 0..<count - 1 {
      guard let next = steps[index]._withUnsafeGuaranteedRef({ $0.object(in: object) }) else {
        return none
      }
      object = next
    }
    return value(in: object)
  }

  /// Reads the value as an `Any?` that is never doubly wrapped, each property once.
  ///
  /// Returns nil at an object that has a class in which the path cannot be walked.
  func erasedValue(from subject: AnyObject) -> Any?? {
    var object = subject
    for index in 0..<count {
      let isKnown = steps[index]._withUnsafeGuaranteedRef { $0.classProperty(of: object) != nil }
      if !isKnown { return nil }
      guard index < count - 1 else { break }
      guard let next = steps[index]._withUnsafeGuaranteedRef({ $0.object(in: object) }) else {
        return .some(nil)
      }
      object = next
    }
    return .some(steps[count - 1]._withUnsafeGuaranteedRef { $0.property.value(of: object) })
  }

  /// Reads the value in the last object.
  func value(in object: AnyObject) -> AnyValueBox {
    steps[count - 1]._withUnsafeGuaranteedRef { step in
      switch leaf {
      case .same: step.property.box(of: object)
      case .wrapped: step.property.optionalBox(of: object)
      // A known path has no entries.
      case .erased, .cast: ValueBox<Any?>(step.property.value(of: object))
      }
    }
  }

  /// Whether every object from `subject` on has a class in which the path can be walked.
  func leads(from subject: AnyObject) -> Bool {
    var object = subject
    for index in 0..<count {
      let isKnown = steps[index]._withUnsafeGuaranteedRef { $0.classProperty(of: object) != nil }
      if !isKnown { return false }
      guard index < count - 1,
        let next = steps[index]._withUnsafeGuaranteedRef({ $0.object(in: object) })
      else { break }
      object = next
    }
    return true
  }
}
