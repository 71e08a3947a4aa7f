internal import Synchronization

/// A cached fact about a key path.
protocol CachedKeyPath: AnyObject, SendableMetatype {
  /// The key path, retained by the fact. Unmanaged, because all threads that look it up would change
  /// its one reference count.
  var keyPath: Unmanaged<AnyKeyPath> { get }
}

/// The plan of a key path of several components.
final class CachedDecomposition: CachedKeyPath {
  let keyPath: Unmanaged<AnyKeyPath>
  let plan: KeyPathPlan

  init(_ keyPath: AnyKeyPath, _ plan: KeyPathPlan) {
    self.keyPath = .passRetained(keyPath)
    self.plan = plan
  }

  deinit {
    keyPath.release()
  }
}

/// Which property a key path of a single component is, and what observing it takes.
@usableFromInline
final class CachedProperty: CachedKeyPath {
  let keyPath: Unmanaged<AnyKeyPath>
  let property: KeyValueProperty
  /// Whether an observer only has to be attached (`PropertyTable.plainProperty(at:of:)`).
  let isPlain: Bool

  init(_ keyPath: AnyKeyPath, _ property: KeyValueProperty, in table: PropertyTable) {
    self.keyPath = .passRetained(keyPath)
    self.property = property
    isPlain =
      property.kind == .stored && property.valueType == Swift.type(of: keyPath).valueType
      && !table.isManual(property.name) && table.dependencies(of: property.name) == nil
      && table.source == nil
  }

  deinit {
    keyPath.release()
  }

  /// The class from which the key path leads.
  var subject: Any.Type {
    keyPath._withUnsafeGuaranteedRef { Swift.type(of: $0).rootType }
  }
}

/// Finds facts by the identity of key path objects, of which each literal in a program has one.
///
/// Hashing a key path takes longer than all the rest of a registration.
///
/// Facts are never replaced, and keep their key paths, so that no other can have the address.
struct KeyPathCache<Fact: CachedKeyPath>: ~Copyable {
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
    let identity = Unmanaged.passUnretained(keyPath).toOpaque()
    for place in KeyPathCache.places(of: identity) {
      guard let fact = fact(places[place].load(ordering: .acquiring)) else { return nil }
      if fact._withUnsafeGuaranteedRef({ $0.keyPath.toOpaque() }) == identity { return fact }
    }
    return nil
  }

  /// Remembers a fact, if one of its places is free.
  func insert(_ fact: Fact) {
    let retained = Unmanaged.passRetained(fact)
    for place in KeyPathCache.places(of: fact.keyPath.toOpaque()) {
      let (isOurs, _) = places[place].compareExchange(
        expected: 0, desired: UInt(bitPattern: retained.toOpaque()),
        ordering: .acquiringAndReleasing)
      if isOurs { return }
    }
    retained.release()
  }

  private func fact(_ bits: UInt) -> Unmanaged<Fact>? {
    UnsafeRawPointer(bitPattern: bits).map(Unmanaged<Fact>.fromOpaque)
  }

  /// A few places next to each other, the first by the address.
  private static func places(of identity: UnsafeMutableRawPointer) -> Range<Int> {
    let address = UInt(bitPattern: identity)
    let first = Int((address >> 4 ^ address >> 10) % UInt(placeCount - 3))
    return first..<first + 4
  }
}
