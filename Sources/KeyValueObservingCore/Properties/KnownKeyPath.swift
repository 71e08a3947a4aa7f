internal import Synchronization

/// The knowledge of a key path from the objects of one class: the property that it is, or the plan of a
/// longer one.
///
/// Both are nil as long as nothing is known. The table of the class keeps them.
@usableFromInline
struct KnownKeyPath {
  @usableFromInline
  let property: Unmanaged<ClassProperty>?
  let plan: Unmanaged<KeyPathPlan>?

  init(property: Unmanaged<ClassProperty>? = nil, plan: Unmanaged<KeyPathPlan>? = nil) {
    self.property = property
    self.plan = plan
  }

  // No initializer, which would retain the key path (row: register + end).
  /// Looks a key path up, which takes one look for a literal that was looked up before.
  @usableFromInline
  static func of(_ keyPath: AnyKeyPath, from type: any KeyValueObservable.Type) -> KnownKeyPath {
    PropertyTable.unmanaged(of: type)._withUnsafeGuaranteedRef {
      $0.known(keyPath, isForObserver: true)
    }
  }
}

/// A key path that was looked up, found by the identity of its object, of which each literal in a program has
/// one: hashing a key path takes longer than all the rest of a registration.
final class KeyPathEntry: AddressTableEntry {
  let known: KnownKeyPath
  /// Kept, so that no other one can have the address.
  private let keyPath: AnyKeyPath
  private let plan: KeyPathPlan?

  init(_ keyPath: AnyKeyPath, _ known: KnownKeyPath) {
    self.known = known
    self.keyPath = keyPath
    plan = known.plan?.takeUnretainedValue()
    super.init(address: KeyPathEntry.address(of: keyPath))
  }

  static func address(of keyPath: AnyKeyPath) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque())
  }
}

/// A key path whose plan was searched for in vain, found by its hash.
///
/// The key path itself is not kept: the argument of a subscript may be an object.
final class SearchedKeyPath: AddressTableEntry {
  /// A hash of the names of the keys that were read before the last search, in that order: with the same ones
  /// another search finds no more; `.max` if any may.
  let namesHash: Atomic<UInt>

  init(_ keyPathHash: UInt, namesHash: UInt) {
    self.namesHash = Atomic(namesHash)
    super.init(address: keyPathHash)
  }

  static func hash(of names: [KeyName]) -> UInt {
    names.reduce(UInt(names.count)) { ($0 ^ $1.textHash) &* 0x9e37_79b9_7f4a_7c15 }
  }
}
