#if canImport(Combine) || OpenCombine
  #if canImport(Combine)
    import Combine
  #else
    import OpenCombine
  #endif

  /// Notes what it receives.
  final class TrackingSubscriber<Input>: Subscriber {
    typealias Failure = Never

    private(set) var inputs: [Input] = []
    private(set) var subscriptions: [any Subscription] = []
    private(set) var completionCount = 0
    private let onSubscription: (any Subscription) -> Void
    private let onValue: (Input) -> Subscribers.Demand
    private let onDeinit: () -> Void

    init(
      onSubscription: @escaping (any Subscription) -> Void = { _ in },
      onValue: @escaping (Input) -> Subscribers.Demand = { _ in .none },
      onDeinit: @escaping () -> Void = {}
    ) {
      self.onSubscription = onSubscription
      self.onValue = onValue
      self.onDeinit = onDeinit
    }

    deinit { onDeinit() }

    var subscription: any Subscription { subscriptions[0] }

    func receive(subscription: any Subscription) {
      subscriptions.append(subscription)
      onSubscription(subscription)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      inputs.append(input)
      return onValue(input)
    }

    func receive(completion: Subscribers.Completion<Never>) {
      // As subscribers do, which lets go of the subscription.
      subscriptions = []
      completionCount += 1
    }

    /// Lets go of the subscription, as a subscriber does that is cancelled.
    func forget() { subscriptions = [] }
  }
#endif
