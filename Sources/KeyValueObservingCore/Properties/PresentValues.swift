internal import CKeyValueObserving

/// Reads of values that are about to be changed.
///
/// While a source delivers changes, it returns the values that were delivered last (P96). A change that began with one
/// of those would overwrite a later one that is still to be delivered.
@usableFromInline
package enum PresentValues {
  /// The code that the thread runs: observers and getters that it calls are others.
  private struct Code: Equatable {
    let delivery: UnsafeMutableRawPointer?
    let preparation: UnsafeMutableRawPointer?
    let settlingDelivery: UnsafeMutableRawPointer?
    let computation: UnsafeMutableRawPointer?

    init(on thread: UnsafeMutablePointer<kvo_thread_state>) {
      delivery = thread.pointee.delivery
      preparation = thread.pointee.preparation
      settlingDelivery = thread.pointee.settling_delivery
      computation = thread.pointee.computation
    }
  }

  /// Whether sources are to return the values that their objects have, on the running thread.
  package static var areRead: Bool {
    let thread = ThreadState.current
    guard let code = thread.pointee.present_values else { return false }
    return code.assumingMemoryBound(to: Code.self).pointee == Code(on: thread)
  }

  /// Runs `body`, in which they do, but for observers and getters that it calls.
  @usableFromInline
  package static func read<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.present_values
    var code = Code(on: thread)
    return withUnsafeMutablePointer(to: &code) { code in
      thread.pointee.present_values = UnsafeMutableRawPointer(code)
      defer { thread.pointee.present_values = outer }
      return body()
    }
  }
}
