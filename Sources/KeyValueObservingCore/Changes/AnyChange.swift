// Cannot be copied, so that the observer gets it where it lies.
/// A change whose values are of any type, for as long as an observer is called.
struct AnyChange: ~Copyable {
  private var change: KeyValueChange<Any?>

  /// Makes a change of the values at two addresses, calls `body` with it, and ends it.
  ///
  /// - `erase`: Makes the value at an address an `Any?`.
  @inline(__always)
  static func with(
    from old: UnsafeRawPointer?, to new: UnsafeRawPointer?, isPrior: Bool = false,
    reason: KeyValueChangeReason = .valueChanged, edit: Unmanaged<Edit>?,
    erasing erase: (UnsafeRawPointer) -> Any?, _ body: (KeyValueChange<Any?>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: AnyChange.self, capacity: 1) { memory in
      let place = memory.baseAddress.unsafelyUnwrapped
      place.initialize(
        to: AnyChange(
          change: KeyValueChange(
            settingTo: .none, from: .none, isPrior: isPrior, reason: reason, edit: edit)))
      place.pointee.set(from: old, to: new, erase)
      place.pointee.pass(to: body)
      place.pointee.end()
    }
  }

  /// Makes a change of values that stay where they are, and calls `body` with it.
  @inline(__always)
  static func with(
    borrowed old: UnsafePointer<Any?>?, _ new: UnsafePointer<Any?>?, edit: Unmanaged<Edit>? = nil,
    _ body: (KeyValueChange<Any?>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: AnyChange.self, capacity: 1) { memory in
      let place = memory.baseAddress.unsafelyUnwrapped
      place.initialize(
        to: AnyChange(change: KeyValueChange(settingTo: .none, from: .none, edit: edit)))
      if let old { RuntimeLayout.copyBits(of: old, to: &place.pointee.change.storedOldValue) }
      if let new { RuntimeLayout.copyBits(of: new, to: &place.pointee.change.storedNewValue) }
      place.pointee.pass(to: body)
      place.pointee.change.edit = nil
    }
  }

  @inline(__always)
  private mutating func set(
    from old: UnsafeRawPointer?, to new: UnsafeRawPointer?, _ erase: (UnsafeRawPointer) -> Any?
  ) {
    if let old { RuntimeLayout.initialize(&change.storedOldValue, to: erase(old)) }
    if let new { RuntimeLayout.initialize(&change.storedNewValue, to: erase(new)) }
  }

  @inline(__always)
  private borrowing func pass(to body: (KeyValueChange<Any?>) -> Void) { body(change) }

  /// Destroys what it holds, and leaves its memory to be given back.
  private mutating func end() {
    RuntimeLayout.destroy(&change.storedNewValue)
    RuntimeLayout.destroy(&change.storedOldValue)
    change.edit = nil
  }
}
