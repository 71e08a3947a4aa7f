internal import CKeyValueObserving

/// The value that an entry had before a change that is reported afterwards, while the former values of
/// what depends on it are computed.
///
/// It lives on the stack of the report. Reads of the entry on the same thread find it there.
struct FormerValue {
  private let value: Any?
  private let name: KeyName
  private let context: Unmanaged<ObservationContext>
  private let outer: UnsafeMutableRawPointer?

  /// Runs `body`, in which reads of an entry on this thread return a former value.
  static func with(
    _ value: Any?, of name: KeyName, _ context: Unmanaged<ObservationContext>, _ body: () -> Void
  ) {
    let thread = ThreadState.current
    let outer = thread.pointee.former_value
    var former = FormerValue(value: value, name: name, context: context, outer: outer)
    withUnsafeMutablePointer(to: &former) { former in
      thread.pointee.former_value = UnsafeMutableRawPointer(former)
      // So that entries ask.
      kvo_recording_began()
      body()
      kvo_recording_ended()
      thread.pointee.former_value = outer
    }
  }

  /// The former value of an entry, nil where there is none: its value is the one that it has.
  static func find(_ name: KeyName, of context: Unmanaged<ObservationContext>) -> Any?? {
    var candidate = ThreadState.current.pointee.former_value
    while let former = candidate?.assumingMemoryBound(to: FormerValue.self) {
      if former.pointee.context.toOpaque() == context.toOpaque(), former.pointee.name == name {
        return .some(former.pointee.value)
      }
      candidate = former.pointee.outer
    }
    return nil
  }
}
