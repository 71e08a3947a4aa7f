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
      $0.known(keyPath, rememberingUpTo: KeyPathCache.countLimit)
    }
  }
}

extension PropertyTable {
  /// The property at a key path.
  ///
  /// Observers find room in the cache also where generic code asks with ever new key paths.
  static func property(
    at keyPath: AnyKeyPath, of type: any KeyValueObservable.Type
  ) -> KeyValueProperty? {
    unmanaged(of: type)._withUnsafeGuaranteedRef {
      $0.known(keyPath, rememberingUpTo: KeyPathCache.countLimit / 2).property?
        ._withUnsafeGuaranteedRef { $0.property }
    }
  }
}
