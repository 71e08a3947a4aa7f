/// Writes that have been found possible and are still to be made, so that a failure comes before the
/// first of them.
struct PendingWrites {
  private typealias Write = (object: any KeyValueObservable, key: String, value: Any?)

  private var assignments: [() -> Void] = []
  /// The values that are set by a hook of the class.
  private var hooked: [Write] = []
  /// Those that are set by a setter that may throw.
  private var refusable: [Write] = []
  /// Those of write-only keys, which come last: they cannot be set back.
  private var irrevocable: [Write] = []

  mutating func add(
    _ value: Any?, forKey key: String, of object: any KeyValueObservable
  ) throws(KeyValueCodingError) {
    guard let property = object.keyValueProperty(forKey: key), !property.isPrivate else {
      return hooked.append((object, key, value))
    }
    do {
      let assignment = try property.assignment(of: value, to: object)
      if property.isWriteOnly {
        irrevocable.append((object, key, value))
      } else if property.mayRefuseValues {
        refusable.append((object, key, value))
      } else {
        assignments.append(assignment)
      }
    } catch .nilForNonOptional {
      hooked.append((object, key, value))
    }
  }

  /// Makes the writes.
  ///
  /// If a hook or a setter throws, nothing has been set but what those before it did, and that is
  /// set back.
  consuming func perform() throws(KeyValueCodingError) {
    try performFallible()
    for assign in assignments { assign() }
  }

  private func performFallible() throws(KeyValueCodingError) {
    var undo: [() -> Void] = []
    // The default of a hook throws, before an observer is notified.
    let writes = hooked + refusable + irrevocable
    for (place, (object, key, value)) in writes.enumerated() {
      let isLast = place == writes.count - 1
      let former = isLast ? nil : Result { try object.value(forKey: key) }
      do {
        try object.setValue(value, forKey: key)
      } catch {
        for undo in undo.reversed() { undo() }
        throw error
      }
      if case .success(let former) = former {
        undo.append { try? object.setValue(former, forKey: key) }
      }
    }
  }
}
