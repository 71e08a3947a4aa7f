extension Unmanaged {
  /// The same object as one of a subclass, of which it has to be.
  ///
  /// For what a layer keeps by a base class of its own, and an upper layer uses as what it put there.
  @inline(__always)
  func unsafelyDowncast<Subclass: AnyObject>(to _: Subclass.Type) -> Unmanaged<Subclass> {
    .fromOpaque(toOpaque())
  }
}
