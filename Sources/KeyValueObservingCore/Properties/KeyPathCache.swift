internal import Synchronization

/// What is remembered of a key path.
protocol KeyPathFact: AnyObject, SendableMetatype {
  var keyPath: AnyKeyPath { get }
}

/// Which properties a key path of several components is made of.
final class KnownRoute: KeyPathFact {
  let keyPath: AnyKeyPath
  let properties: [KeyValueProperty]
  let path: KnownPath?

  init(_ keyPath: AnyKeyPath, _ properties: [KeyValueProperty], _ path: KnownPath?) {
    self.keyPath = keyPath
    self.properties = properties
    self.path = path
  }
}

/// Which property a key path of a single component is, and what observing it takes.
@usableFromInline
final class KnownKeyPath: KeyPathFact {
  let keyPath: AnyKeyPath
  let property: KeyValueProperty
  /// Whether an observer only has to be attached (`PropertyTable.plainProperty(at:of:)`).
  let isPlain: Bool

  init(_ keyPath: AnyKeyPath, _ property: KeyValueProperty, in table: PropertyTable) {
    self.keyPath = keyPath
    self.property = property
    isPlain =
      property.kind == .stored && property.valueType == Swift.type(of: keyPath).valueType
      && !table.isManual(property.name) && table.dependencies(of: property.key) == nil
  }
}

/// Finds facts by the identity of key path objects, of which each literal in a program has one.
/// Hashing a key path takes longer than all the rest of a registration.
///
/// Facts are never replaced, and keep their key paths, so that no other can have the address.
struct KeyPathCache<Fact: KeyPathFact>: ~Copyable {
  private let places: UnsafeMutablePointer<Atomic<UInt>>

  private static var placeCount: Int { 64 }

  init() {
    places = .allocate(capacity: Self.placeCount)
    for place in 0..<Self.placeCount { (places + place).initialize(to: Atomic(0)) }
  }

  deinit {
    for place in 0..<Self.placeCount {
      fact(places[place].load(ordering: .acquiring))?.release()
    }
    places.deallocate()
  }

  @inline(__always)
  func find(_ keyPath: AnyKeyPath) -> Unmanaged<Fact>? {
    let fact = fact(place(of: keyPath).pointee.load(ordering: .acquiring))
    let isSame = fact?._withUnsafeGuaranteedRef { $0.keyPath === keyPath } ?? false
    return isSame ? fact : nil
  }

  /// Remembers a fact, if its place is free.
  func insert(_ fact: Fact) {
    let retained = Unmanaged.passRetained(fact)
    let (isOurs, _) = place(of: fact.keyPath).pointee.compareExchange(
      expected: 0, desired: UInt(bitPattern: retained.toOpaque()),
      ordering: .acquiringAndReleasing)
    if !isOurs { retained.release() }
  }

  private func fact(_ bits: UInt) -> Unmanaged<Fact>? {
    UnsafeRawPointer(bitPattern: bits).map(Unmanaged<Fact>.fromOpaque)
  }

  private func place(of keyPath: AnyKeyPath) -> UnsafeMutablePointer<Atomic<UInt>> {
    let address = UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque())
    return places + Int((address >> 4 ^ address >> 10) % UInt(Self.placeCount))
  }
}
