// Observers of an actor that are still to be called for a change receive no later one before it (P11, P40).
extension ActorQueue {
  /// The last work that was handed over before the outermost, and before the innermost of the changes that are being
  /// delivered on the thread.
  ///
  /// Of what was handed over in between, the observer that is about to be called receives its own before an inner
  /// change: if the outermost one concerns it at all, it has received that.
  func handedOver(
    before delivery: UnsafeMutablePointer<Delivery>?
  ) -> (outermost: HandOver, innermost: HandOver) {
    let last = HandOver.last
    guard let delivery else { return (last, last) }
    let place = place(of: delivery, last)
    return (handedOver[0], handedOver[place - 1])
  }

  /// The place of a change among those that are being delivered, which it takes when an observer of the actor is
  /// called for the first time.
  private func place(
    of delivery: UnsafeMutablePointer<Delivery>, _ last: HandOver
  ) -> Int {
    var place = Int(delivery.pointee.placeOnActor)
    // Several actors may have one executor; their order among each other is not promised.
    if place == 0 || place > handedOver.count {
      place = (delivery.pointee.outer.map { self.place(of: $0, last) } ?? 0) + 1
      delivery.pointee.placeOnActor = UInt32(place)
      // Those that had these places are over.
      handedOver.removeSubrange((place - 1)...)
      handedOver.append(handedOver(beforeOwn: delivery, last))
    }
    return place
  }

  private func handedOver(
    beforeOwn delivery: UnsafeMutablePointer<Delivery>, _ last: HandOver
  ) -> HandOver {
    if !delivery.isOfTransaction {
      return delivery.pointee.waiting?._withUnsafeGuaranteedRef { $0.handedOver } ?? last
    }
    let number = delivery.pointee.number
    if let known = handedOverBeforeTransaction, known.number == number { return known.last }
    handedOverBeforeTransaction = (number, last)
    return last
  }
}
