extension ObservedKey {
  /// The delivery of the change of the key at the end of a transaction, if that is not over; else the one of
  /// the last change of the key's dependencies that this thread has made before another change
  /// of the key, and has yet to deliver.
  ///
  /// Changes of the key itself are delivered after it: an overridden property is set, and a manual pair of
  /// a computed key is completed, in a callback that comes before (P11).
  func pendingDelivery(before number: UInt64) -> UnsafeMutablePointer<Delivery>? {
    let (computation, delivery) = withLock {
      (state.extras?.computation, state.deliveryAfterTransaction)
    }
    if let delivery { return delivery }
    return computation?.pendingOutputDelivery(before: number)
  }
}
