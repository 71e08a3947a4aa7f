// A structure, because an optional closure would be wrapped again at each call.
/// Calls adjacent closures with the same demand, beginning with the one whose turn it is in the
/// delivery.
///
/// Made where the type of the property is known, and kept by the observed key: code that is specialized for
/// the type is most of what makes one more observer cheap (row: each further observer).
@usableFromInline
struct ClosureInvoker {
  let call: (UnsafeMutablePointer<Delivery>) -> Void

  @usableFromInline
  init(_ call: @escaping (UnsafeMutablePointer<Delivery>) -> Void) {
    self.call = call
  }
}
