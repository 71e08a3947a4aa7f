extension Unmanaged {
  /// The same object as one of a subclass.
  ///
  /// For a reference in a lower layer to what an upper one keeps there. The object has to be of the subclass,
  /// which only debug builds check.
  @inline(__always)
  func unsafelyDowncast<Subclass: AnyObject>(to _: Subclass.Type) -> Unmanaged<Subclass> {
    _withUnsafeGuaranteedRef { .passUnretained(unsafeDowncast($0, to: Subclass.self)) }
  }
}
