/// The observers that deliveries of a thread pass over, since all changes were made in their names (P57).
struct ExclusionStack {
  private var exclusions:
    [(delivery: UnsafeMutablePointer<Delivery>, observers: Set<ObserverIdentity>)] = []

  /// Lets a delivery pass over observers, until that is popped.
  mutating func push(
    _ observers: Set<ObserverIdentity>, excludedBy delivery: UnsafeMutablePointer<Delivery>
  ) {
    exclusions.append((delivery, observers))
  }

  mutating func pop() { exclusions.removeLast() }

  /// The observers that a delivery passes over.
  func excluded(by delivery: UnsafeMutablePointer<Delivery>) -> Set<ObserverIdentity> {
    exclusions.last { $0.delivery == delivery }?.observers ?? []
  }
}
