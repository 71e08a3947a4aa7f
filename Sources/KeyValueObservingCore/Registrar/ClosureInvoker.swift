/// Calls adjacent closures with the same needs, beginning with the one whose turn it is in the
/// delivery.
///
/// Made where the type of the property is known, once for each key path: code that is specialized for the
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
