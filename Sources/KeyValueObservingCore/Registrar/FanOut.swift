/// Calls closures that stand next to each other in an audience and ask for the same, beginning with
/// the one whose turn it is in the delivery.
///
/// Made where the type of the property is known, and kept by the slot: code that is specialised for
/// the type is most of what makes one more observer cheap (row: each further observer).
// Not copied, so that it is called without being retained; and not a plain closure, which inside an
// optional would be wrapped at each call.
@usableFromInline
struct FanOut: ~Copyable {
  private let call: (UnsafeMutablePointer<Delivery>) -> Void

  @usableFromInline
  init(_ call: @escaping (UnsafeMutablePointer<Delivery>) -> Void) {
    self.call = call
  }

  borrowing func callAsFunction(_ delivery: UnsafeMutablePointer<Delivery>) { call(delivery) }
}

extension UnsafeMutablePointer<Delivery> {
  /// The `FanOut` of properties of a type.
  @inlinable
  func fanOut<Value>(_: Value.Type) {
    let end = pointee.round.closureCount
    var place = pointee.cursor
    var entry = pointee.round.observers.unsafelyUnwrapped + Int(place)
    let kind = entry.pointee.kind
    let old =
      kind.demand.contains(.old)
      ? pointee.old?.assumingMemoryBound(to: Value.self).pointee : nil
    let new =
      kind.demand.contains(.new)
      ? pointee.new?.assumingMemoryBound(to: Value.self).pointee : nil
    let change = KeyValueChange<Value>(settingTo: new, from: old, isPrior: false)
    pointee.subject._withUnsafeGuaranteedRef { subject in
      while true {
        // Whatever the class of its first parameter, a closure takes a reference. Called in place,
        // it is not retained for the call: the delivery keeps the place as it is.
        UnsafeRawPointer(entry).assumingMemoryBound(to: Handler<AnyObject, Value>.self)
          .pointee(subject, change)
        place &+= 1
        entry += 1
        guard place < end, pointee.isRunAllowed, entry.pointee.kind == kind else { return }
        pointee.cursor = place
      }
    }
  }
}
