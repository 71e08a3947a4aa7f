internal import Synchronization

/// Calls adjacent closures with the same needs, beginning with the one whose turn it is in the
/// delivery.
///
/// Made where the type of the property is known, once for each property of a class: code that is specialized for the
/// type is most of what makes one more observer cheap (row: each further observer).
@usableFromInline
final class ClosureInvoker: Sendable {
  @usableFromInline
  typealias Call = @Sendable (UnsafeMutablePointer<Delivery>) -> Void

  let call: Call

  init(_ call: @escaping Call) {
    self.call = call
  }
}

extension ClassProperty {
  /// Calls the closures of the property's observers.
  ///
  /// - `call`: Does so, for the type of the property. The first one is kept.
  @inline(__always)
  func invoker(_ call: @escaping ClosureInvoker.Call) -> Unmanaged<ClosureInvoker> {
    guard let known = UnsafeRawPointer(bitPattern: invokerWord.load(ordering: .acquiring)) else {
      return makeInvoker(call)
    }
    return .fromOpaque(known)
  }

  @inline(never)
  private func makeInvoker(_ call: @escaping ClosureInvoker.Call) -> Unmanaged<ClosureInvoker> {
    let made = Unmanaged.passRetained(ClosureInvoker(call))
    let (isOurs, known) = invokerWord.compareExchange(
      expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
    if isOurs { return made }
    made.release()
    return .fromOpaque(UnsafeRawPointer(bitPattern: known)!)
  }
}
