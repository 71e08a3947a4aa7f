/// A registration at the object in a weak property of another one: in the layer of dependencies, a
/// `WeakTargetObservation`.
class TargetRegistration: Registration {
  /// The context of the object in the property.
  final let targetContext: ObservationContext
  /// The registration's position in the order of those of the property, by when each was last needed.
  final fileprivate(set) var number = 0

  init(at targetContext: ObservationContext) {
    self.targetContext = targetContext
    super.init(needs: []) { _, _ in }
  }

  override final func didEnd() { targetContext.takeOut(self)?.end() }
}

/// The registrations for one weak property: one, except while threads set it at the same time.
struct TargetRegistrations {
  private var registrations: [TargetRegistration] = []
  private var lastNumber = 0

  /// Whether there is one at an object.
  func isWatching(_ targetContext: ObservationContext) -> Bool {
    registrations.contains { $0.targetContext === targetContext }
  }

  /// Adds a registration, unless there is one at the same object, and numbers it.
  mutating func add(_ registration: TargetRegistration?) -> (number: Int, isNew: Bool) {
    lastNumber += 1
    guard let registration else { return (lastNumber, false) }
    let known = registrations.first { $0.targetContext === registration.targetContext }
    (known ?? registration).number = lastNumber
    if known == nil { registrations.append(registration) }
    return (lastNumber, known == nil)
  }

  /// Takes out those whose number is among some.
  mutating func take(where isTaken: (Int) -> Bool) -> [TargetRegistration] {
    let taken = registrations.filter { isTaken($0.number) }
    if !taken.isEmpty { registrations.removeAll { isTaken($0.number) } }
    return taken
  }

  /// Takes one out.
  ///
  /// Returns false if it was taken out before.
  mutating func remove(_ registration: TargetRegistration) -> Bool {
    guard let index = registrations.firstIndex(where: { $0 === registration }) else { return false }
    registrations.remove(at: index)
    return true
  }
}
