internal import Synchronization

/// The contents of a `KeyPathCache`, each in the first free place from the one of its key path's address on.
///
/// Any thread may read it without a lock. Threads that insert hold the lock of the cache.
final class KeyPathTable {
  private struct Place: ~Copyable {
    /// The address of the key path, retained, or 0 in a free place.
    let keyPath = Atomic<UInt>(0)
    /// Stored before the key path.
    var known = KnownKeyPath()
  }

  private let places: UnsafeMutablePointer<Place>
  /// The number of places, less one: a power of two less one.
  private let mask: Int
  private var count = 0
  /// The table that this one has replaced, which other threads may be reading.
  private let former: KeyPathTable?

  /// Makes a table with twice the room, with the same contents and room for as many more.
  init(replacing former: KeyPathTable?) {
    let placeCount = former.map { 2 * ($0.mask + 1) } ?? 16
    mask = placeCount - 1
    places = .allocate(capacity: placeCount)
    for place in 0..<placeCount { (places + place).initialize(to: Place()) }
    self.former = former
    former?.forEach { _ = insert($1, at: $0) }
  }

  deinit {
    forEach { keyPath, known in
      Unmanaged.passUnretained(keyPath).release()
      known.plan?.release()
    }
    places.deallocate()
  }

  private func forEach(_ body: (AnyKeyPath, KnownKeyPath) -> Void) {
    for place in 0...mask {
      guard let keyPath = UnsafeRawPointer(bitPattern: identity(at: place)) else { continue }
      body(Unmanaged.fromOpaque(keyPath).takeUnretainedValue(), places[place].known)
    }
  }

  @inline(__always)
  func find(_ identity: UInt) -> KnownKeyPath? {
    var place = place(of: identity)
    while true {
      let found = self.identity(at: place)
      if found == identity { return places[place].known }
      if found == 0 { return nil }
      place = (place &+ 1) & mask
    }
  }

  /// Adds a key path that is not in the table yet, and keeps it with its plan.
  ///
  /// Returns false, and does nothing, if half of the places are taken.
  func insert(_ known: KnownKeyPath, at keyPath: AnyKeyPath) -> Bool {
    if count * 2 > mask { return false }
    count += 1
    let identity = UInt(bitPattern: Unmanaged.passRetained(keyPath).toOpaque())
    var place = place(of: identity)
    while self.identity(at: place) != 0 { place = (place + 1) & mask }
    places[place].known = KnownKeyPath(property: known.property, plan: known.plan?.retain())
    places[place].keyPath.store(identity, ordering: .releasing)
    return true
  }

  @inline(__always)
  private func identity(at place: Int) -> UInt { places[place].keyPath.load(ordering: .acquiring) }

  /// Objects lie at multiples of 16, and those of one program mostly next to each other.
  @inline(__always)
  private func place(of identity: UInt) -> Int {
    Int(truncatingIfNeeded: identity >> 4 ^ identity >> 10) & mask
  }
}
