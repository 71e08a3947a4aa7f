/// Writes that have been found possible and are still to be made, so that a failure comes before the
/// first of them.
struct PendingWrites {
  private var assignments: [() -> Void] = []
  /// The values that are set by a hook of the class, or by a setter that may throw.
  private var hooked: [(object: any KeyValueObservable, key: String, value: Any?)] = []

  mutating func add(
    _ value: Any?, forKey key: String, of object: any KeyValueObservable
  ) throws(KeyValueCodingError) {
    guard let property = object.keyValueProperty(forKey: key), !property.isPrivate else {
      return hooked.append((object, key, value))
    }
    do {
      let assignment = try property.assignment(of: value, to: object)
      if property.mayRefuseValues {
        hooked.append((object, key, value))
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
    try performHooked()
    for assign in assignments { assign() }
  }

  private func performHooked() throws(KeyValueCodingError) {
    var undo: [() -> Void] = []
    for (place, (object, key, value)) in hooked.enumerated() {
      let isLast = place == hooked.count - 1
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
