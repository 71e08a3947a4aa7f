/// The classic observers of one object.
///
/// A plain value without a lock.
struct ClassicRegistrations {
  /// The registrations of one observer for one key path, in the order in which they were made.
  private var registrations: [ClassicRegistration.Key: [ClassicRegistration]] = [:]
  private var count = 0
  /// How many there may be before those whose observers are gone are looked for.
  private var limit = 16

  /// Adds a registration.
  ///
  /// Returns those that may have lost their observers: none most of the time, all when their number
  /// has doubled. `sift()` must follow once they have been looked through.
  mutating func insert(_ registration: ClassicRegistration) -> [ClassicRegistration] {
    registrations[registration.key, default: []].append(registration)
    count += 1
    guard count > limit else { return [] }
    // No other thread needs to look in between.
    limit = .max
    return registrations.values.flatMap(\.self)
  }

  /// Notes that those who had lost their observers were taken out.
  mutating func sift() {
    limit = max(16, count * 2)
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
