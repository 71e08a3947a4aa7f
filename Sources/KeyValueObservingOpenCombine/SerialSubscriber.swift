#if canImport(Combine) || OpenCombine
  public import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency public import Combine
  #else
    @preconcurrency public import OpenCombine
  #endif

  // Generic over the values, and not over the subscriber, whose type is not known where a publisher is
  // made: all of this is specialized there.
  /// Sends values to a subscriber as it requests them, one at a time, from any threads.
  ///
  /// Values, requests and the completion are processed one after the other, in the order in which they
  /// arrive: one that arrives while the subscriber is being called is processed when that has returned.
  @usableFromInline
  final class SerialSubscriber<Value>: RequestReceiver, @unchecked Sendable {
    /// Calls the subscriber.
    ///
    /// Its result counts after a value only.
    @usableFromInline
    typealias Downstream = (SubscriberEvent<Value>) -> Subscribers.Demand

    @usableFromInline
    let serializer = EventSerializer()
    /// Used by the thread that sends.
    @usableFromInline
    var demand: UnmetDemand<Value>
    @usableFromInline
    let lock = Lock()
    /// Guarded by `lock`, and released where the subscription is cancelled.
    @usableFromInline
    var downstream: Downstream?

    @inlinable
    init(_ downstream: @escaping Downstream, keepsNewest: Bool) {
      self.downstream = downstream
      demand = UnmetDemand(keepsNewest: keepsNewest)
      super.init(
        onRequest: { unsafeDowncast($0, to: SerialSubscriber.self).request($1) },
        onCancel: { unsafeDowncast($0, to: SerialSubscriber.self).cancel() })
    }

    /// Registers, and sends the subscription.
    ///
    /// No value is sent before the subscriber has received it.
    @inlinable
    static func subscribe(
      _ downstream: @escaping Downstream, _ options: KeyValueObservation.Options,
      register: (SerialSubscriber) -> KeyValueObservation
    ) {
      let subscriber = SerialSubscriber(downstream, keepsNewest: options.contains(.initial))
      // Values that arrive before the subscription has been sent wait for it.
      subscriber.serializer.begin()
      let subscription = KeyValueSubscription(subscriber, register(subscriber))
      _ = subscriber.currentDownstream?(.subscription(subscription))
      subscriber.serializer.end()
    }

    @inlinable
    func send(_ value: Value) {
      serializer.send(value, to: self) { $0.send(requested: $0.demand.receive($1)) }
    }

    /// Forgets a value that waits for demand.
    @inlinable
    func withdraw() {
      serializer.send((), to: self) { subscriber, _ in
        // Released when it has been taken out, since its end may change the object.
        withExtendedLifetime(subscriber.demand.withdraw()) {}
      }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
      serializer.send(demand, to: self) { $0.send(requested: $0.demand.request($1.max)) }
    }

    @inlinable
    func complete() {
      serializer.send((), to: self) { subscriber, _ in
        _ = subscriber.takeDownstream()?(.completion)
      }
    }

    /// Sends nothing from now on; on another thread at most a call that has begun finishes.
    @inlinable
    func cancel() {
      let released = takeDownstream()
      serializer.send((), to: self) { subscriber, _ in
        subscriber.demand = UnmetDemand(keepsNewest: false)
      }
      withExtendedLifetime(released) {}
    }

    /// Sends a value that is requested, and what the subscriber requests in return.
    @inlinable
    func send(requested value: Value?) {
      var next = value
      while let value = next, let downstream = currentDownstream {
        next = demand.request(downstream(.value(value)).max)
      }
    }

    @inlinable
    var currentDownstream: Downstream? {
      lock.lock()
      defer { lock.unlock() }
      return downstream
    }

    /// Releases the subscriber.
    ///
    /// Returns what calls it.
    @inlinable
    func takeDownstream() -> Downstream? {
      lock.lock()
      defer { lock.unlock() }
      return downstream.take()
    }
  }

  /// An event that a subscriber receives.
  @usableFromInline
  enum SubscriberEvent<Value> {
    case subscription(any Subscription)
    case value(Value)
    case completion
  }

  extension Subscriber where Failure == Never {
    /// Receives an event of any kind.
    func receive(_ event: SubscriberEvent<Input>) -> Subscribers.Demand {
      switch event {
      case .value(let value): return receive(value)
      case .subscription(let subscription): receive(subscription: subscription)
      case .completion: receive(completion: .finished)
      }
      return .none
    }
  }
#endif
