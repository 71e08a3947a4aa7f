/// Stores a value, without notifying observers, and initializes memory to the former one.
typealias ErasedExchange = (_ newValue: Any?, _ former: UnsafeMutablePointer<Any?>) -> Void

extension KeyValueRegistrar {
  /// Sets a property of values of any type, and notifies its observers.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - subject: The object with the property and with this registrar.
  ///   - newValue: The value to store.
  ///   - read: Reads the property.
  ///   - exchange: Stores it.
  func exchange(
    _ name: KeyName, of subject: some KeyValueObservable & ChangeRecording, for newValue: Any?,
    read: () -> Any?, _ exchange: ErasedExchange
  ) {
    // The former value lives until the change has been delivered: its end may make others, which come later (P11).
    RuntimeLayout.withMemory { former in
      guard let context = unmanagedContext else { return exchange(newValue, former) }
      Delivery.withMemory { delivery in
        let isDelivered = context._withUnsafeGuaranteedRef {
          $0.beginAndCapture(delivery, of: subject, copied: name)
        }
        guard isDelivered else {
          exchange(newValue, former)
          return catchUp(name)
        }
        if delivery.requires(.prior) {
          if let transaction = delivery.beginTransactionIfBound() {
            former.initialize(to: nil)
            transaction.exchange(name, of: subject, for: newValue, read: read, exchange)
            return Transaction.end(rollingBack: false)
          }
          _ = delivery.sendPriors(read)
        }
        exchange(newValue, former)
        withUnsafePointer(to: newValue) { delivery.complete(erasedAt: former, $0) }
      }
    }
  }
}

extension Transaction {
  /// The same in a transaction.
  func exchange(
    _ name: KeyName, of subject: some KeyValueObservable & ChangeRecording, for newValue: Any?,
    read: () -> Any?, _ exchange: ErasedExchange
  ) {
    let key = willChange(name, in: subject.keyValueRegistrar.unmanagedContext, of: subject) {
      ValueBox(read())
    }
    switch willStore(name, in: subject) {
    case .record:
      add(subject.record(of: name.key))
      RuntimeLayout.withMemory { exchange(newValue, $0) }
    case .store: RuntimeLayout.withMemory { exchange(newValue, $0) }
    case .ignore: return
    }
    if key == nil { catchUp(name, in: subject.keyValueRegistrar) }
  }
}
