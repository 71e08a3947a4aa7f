/// The classic observers of one object. A plain value without a lock.
struct ClassicRegistrations {
  /// The registrations of one observer for one key path, in the order in which they were made.
  private var registrations: [ClassicRegistration.Key: [ClassicRegistration]] = [:]
  private var count = 0
  /// How many there may be before those whose observers are gone are looked for.
  private var limit = 16

  /// Adds a registration. Returns those that are to be looked through for observers that are gone:
  /// none most of the time, all when their number has doubled.
  mutating func insert(_ registration: ClassicRegistration) -> [ClassicRegistration] {
    registrations[registration.key, default: []].append(registration)
    count += 1
    guard count > limit else { return [] }
    limit = count * 2
    return registrations.values.flatMap(\.self)
  }

  /// Takes out the first registration of an observer for a key path that fits.
  mutating func removeFirst(
    at key: ClassicRegistration.Key, where fits: (ClassicRegistration) -> Bool
  ) -> ClassicRegistration? {
    guard let index = registrations[key]?.firstIndex(where: fits) else { return nil }
    let removed = registrations[key]?.remove(at: index)
    if registrations[key]?.isEmpty == true { registrations[key] = nil }
    count -= 1
    return removed
  }
}
