extension ObservedKey {
  /// The delivery of the last change of the key that this thread has made before another one, and has yet to
  /// deliver: at the end of a transaction, or as a change of the key's dependencies.
  ///
  /// Changes of the key itself are delivered after it: an overridden property is set, and a manual pair of
  /// a computed key is completed, in a callback that comes before (P11).
  func deliveryToAwait(before number: UInt64) -> UnsafeMutablePointer<Delivery>? {
    let (computedKey, delivery) = withLock {
      (state.extras?.computedKey, state.deliveryAfterTransaction)
    }
    guard let output = computedKey?.outputDeliveryToAwait(before: number) else { return delivery }
    // The change of the transaction is itself one of the dependencies, too.
    if let delivery, output.pointee.number <= delivery.pointee.number { return delivery }
    return output
  }
}
