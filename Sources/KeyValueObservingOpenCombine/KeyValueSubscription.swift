#if canImport(Combine) || OpenCombine
  internal import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency internal import Combine
  #else
    @preconcurrency internal import OpenCombine
  #endif

  /// What a subscriber keeps. The observation lasts as long, or until it is cancelled.
  final class KeyValueSubscription: Subscription {
    private let subscriber: RequestReceiver
    /// Set before the subscription is handed over.
    private var token: KeyValueObservation?

    private init(_ subscriber: RequestReceiver) {
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) { subscriber.request(demand) }

    func cancel() {
      subscriber.cancel()
      token?.invalidate()
    }

    /// Subscribes to changes.
    ///
    /// - Parameters:
    ///   - options: With `initial`, the newest value waits for demand.
    ///   - register: Registers, and returns what ends that.
    static func start<Downstream: Subscriber>(
      _ downstream: Downstream, _ options: KeyValueObservation.Options,
      register: @escaping (SerialSubscriber<Downstream.Input>) -> KeyValueObservation
    ) where Downstream.Failure == Never {
      let subscriber = SerialSubscriber(
        downstream, keepsNewest: options.contains(.initial))
      let subscription = KeyValueSubscription(subscriber)
      subscriber.subscribe {
        subscription.token = register(subscriber)
        downstream.receive(subscription: subscription)
      }
    }
  }

  extension KeyValueSubscription: CustomStringConvertible, CustomReflectable {
    var description: String { "KeyValueObservingPublisher" }
    /// Shows nothing: what it keeps belongs to the thread that sends.
    var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
