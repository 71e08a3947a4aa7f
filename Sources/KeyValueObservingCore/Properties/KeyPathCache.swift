internal import Synchronization

/// What is known of a key path of a single component that somebody has observed.
@usableFromInline
final class KnownKeyPath: @unchecked Sendable {  // immutable
  let keyPath: AnyKeyPath
  let property: KeyValueProperty
  /// Whether an observation only has to be attached: assigning notifies, nothing else changes the
  /// property, and it has no death to watch.
  let isSelfContained: Bool

  init(_ keyPath: AnyKeyPath, _ property: KeyValueProperty, in table: PropertyTable) {
    self.keyPath = keyPath
    self.property = property
    isSelfContained =
      property.kind == .stored && !table.isManual(property.name)
      && table.dependencies(of: property.key) == nil
  }
}

/// Finds properties by the identity of key path objects, of which each literal in a program has
/// one. Hashing a key path takes longer than all the rest of a registration.
///
/// Entries are never replaced, and keep their key paths, so that no other can have the address.
struct KeyPathCache: ~Copyable, @unchecked Sendable {  // its places are atomic
  private let places: UnsafeMutablePointer<Atomic<UInt>>

  private static var placeCount: Int { 64 }

  init() {
    places = .allocate(capacity: KeyPathCache.placeCount)
    for place in 0..<KeyPathCache.placeCount { (places + place).initialize(to: Atomic(0)) }
  }

  deinit {
    for place in 0..<KeyPathCache.placeCount {
      known(places[place].load(ordering: .acquiring))?.release()
    }
    places.deallocate()
  }

  func find(_ keyPath: AnyKeyPath) -> Unmanaged<KnownKeyPath>? {
    let known = known(place(of: keyPath).pointee.load(ordering: .acquiring))
    let isSame = known?._withUnsafeGuaranteedRef { $0.keyPath === keyPath } ?? false
    return isSame ? known : nil
  }

  /// Remembers a key path, if its place is free.
  func insert(_ known: KnownKeyPath) {
    let retained = Unmanaged.passRetained(known)
    let (isOurs, _) = place(of: known.keyPath).pointee.compareExchange(
      expected: 0, desired: UInt(bitPattern: retained.toOpaque()),
      ordering: .acquiringAndReleasing)
    if !isOurs { retained.release() }
  }

  private func known(_ bits: UInt) -> Unmanaged<KnownKeyPath>? {
    UnsafeRawPointer(bitPattern: bits).map(Unmanaged<KnownKeyPath>.fromOpaque)
  }

  private func place(of keyPath: AnyKeyPath) -> UnsafeMutablePointer<Atomic<UInt>> {
    let address = UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque())
    return places + Int((address >> 4 ^ address >> 10) % UInt(KeyPathCache.placeCount))
  }
}
