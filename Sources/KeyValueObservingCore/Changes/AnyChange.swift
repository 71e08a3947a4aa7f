// Cannot be copied, so that the observer gets it where it lies.
/// A change whose values are of any type, for as long as an observer is called.
struct AnyChange: ~Copyable {
  private var change: KeyValueChange<Any?>

  /// Makes a change, calls `body` with it, and ends it.
  @inline(__always)
  static func with(
    settingTo new: @autoclosure () -> Any??, from old: @autoclosure () -> Any??, isPrior: Bool,
    reason: KeyValueChangeReason = .valueChanged, edit: Unmanaged<Edit>?,
    _ body: (KeyValueChange<Any?>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: AnyChange.self, capacity: 1) { memory in
      let place = memory.baseAddress.unsafelyUnwrapped
      place.initialize(
        to: AnyChange(
          change: KeyValueChange(
            settingTo: new(), from: old(), isPrior: isPrior, reason: reason, edit: edit)))
      place.pointee.pass(to: body)
      place.pointee.end()
    }
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
