/// The newest observed key of a context, or, in few contexts, the extras, which have it then.
///
/// One word for both, because each observed object has it (row: memory). The context retains either,
/// unless the key is the context, and does not lose extras that it has.
struct ObservationContextWord {
  let bits: UInt

  static var empty: UInt { 0 }

  @inline(__always)
  init(_ bits: UInt) { self.bits = bits }

  init(_ newest: Unmanaged<ObservedKey>) { bits = UInt(bitPattern: newest.toOpaque()) }

  /// Objects lie at even addresses.
  init(_ extras: Unmanaged<ObservationContextExtras>) {
    bits = UInt(bitPattern: extras.toOpaque()) | 1
  }

  var extras: Unmanaged<ObservationContextExtras>? {
    @inline(__always) get {
      if bits & 1 == 0 { return nil }
      return UnsafeRawPointer(bitPattern: bits ^ 1)
        .map(Unmanaged<ObservationContextExtras>.fromOpaque)
    }
  }

  /// The observed key that was made last.
  var newest: Unmanaged<ObservedKey>? {
    @inline(__always) get {
      let address = extras?._withUnsafeGuaranteedRef { $0.newest.load(ordering: .acquiring) }
      return UnsafeRawPointer(bitPattern: address ?? bits).map(Unmanaged<ObservedKey>.fromOpaque)
    }
  }

  /// The table of an object with many observed keys.
  var table: Unmanaged<ObservedKeyTable>? {
    @inline(__always) get { extras.flatMap { $0._withUnsafeGuaranteedRef { $0.table } } }
  }
}
