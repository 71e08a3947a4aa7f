internal import Synchronization

/// The facts of a `KeyPathCache`, each in the first free place from the one of its key path's address on.
///
/// Any thread may read it without a lock. Threads that insert hold the lock of the cache.
final class KeyPathTable<Fact: CachedKeyPath> {
  /// The facts, retained, or 0 in a free place.
  private let places: UnsafeMutablePointer<Atomic<UInt>>
  /// The number of places, less one: a power of two less one.
  private let mask: Int
  private(set) var count = 0
  /// The table that this one has replaced, which other threads may be reading.
  private let former: KeyPathTable?

  /// Makes a table with twice the room, for the same facts and as many more.
  init(replacing former: KeyPathTable?) {
    let placeCount = former.map { 2 * ($0.mask + 1) } ?? 16
    mask = placeCount - 1
    places = .allocate(capacity: placeCount)
    for place in 0..<placeCount { (places + place).initialize(to: Atomic(0)) }
    self.former = former
    for fact in former?.facts ?? [] { _ = insert(fact.takeUnretainedValue()) }
  }

  deinit {
    for fact in facts { fact.release() }
    places.deallocate()
  }

  private var facts: [Unmanaged<Fact>] { (0...mask).compactMap { fact(at: $0) } }

  @inline(__always)
  func find(_ identity: UnsafeMutableRawPointer) -> Unmanaged<Fact>? {
    var place = place(of: identity)
    while let fact = fact(at: place) {
      if fact._withUnsafeGuaranteedRef({ $0.keyPath.toOpaque() }) == identity { return fact }
      place = (place &+ 1) & mask
    }
    return nil
  }

  /// Adds a fact that is not in the table yet.
  ///
  /// Returns false, and does nothing, if half of the places are taken.
  func insert(_ fact: Fact) -> Bool {
    if count * 2 > mask { return false }
    count += 1
    var place = place(of: fact.keyPath.toOpaque())
    while self.fact(at: place) != nil { place = (place + 1) & mask }
    places[place].store(
      UInt(bitPattern: Unmanaged.passRetained(fact).toOpaque()), ordering: .releasing)
    return true
  }

  @inline(__always)
  private func fact(at place: Int) -> Unmanaged<Fact>? {
    UnsafeRawPointer(bitPattern: places[place].load(ordering: .acquiring))
      .map(Unmanaged<Fact>.fromOpaque)
  }

  /// Objects lie at multiples of 16, and those of one program mostly next to each other.
  @inline(__always)
  private func place(of identity: UnsafeMutableRawPointer) -> Int {
    let address = UInt(bitPattern: identity)
    return Int(truncatingIfNeeded: address >> 4 ^ address >> 10) & mask
  }
}
