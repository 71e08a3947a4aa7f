internal import CKeyValueObserving

/// Reads of values that are about to be changed.
///
/// While a source delivers changes, it returns the values that were delivered last (P96). A change that began with one
/// of those would overwrite a later one that is still to be delivered.
@usableFromInline
package enum PresentValues {
  /// Whether sources return the values that their objects have, on the running thread.
  package static var areRead: Bool { ThreadState.current.pointee.reads_present_values }

  /// Runs `body`, in which they do.
  @usableFromInline
  package static func read<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.reads_present_values
    thread.pointee.reads_present_values = true
    defer { thread.pointee.reads_present_values = outer }
    return body()
  }
}
