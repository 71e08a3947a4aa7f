#if canImport(Combine) || OpenCombine
  internal import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency internal import Combine
  #else
    @preconcurrency internal import OpenCombine
  #endif

  /// Sends values to a subscriber as it requests them, one at a time, from any threads.
  ///
  /// Values, requests and the completion are taken one after the other, in the order in which they come:
  /// what comes while the subscriber is being called is looked at when it has returned.
  final class SerialSubscriber<Downstream: Subscriber>: @unchecked Sendable
  where Downstream.Failure == Never {
    private enum Step {
      case subscribe(() -> Void)
      case value(Downstream.Input)
      case request(Subscribers.Demand)
      case complete
      case cancel
    }

    private let serializer = EventSerializer<Step>()
    /// Used by the thread that takes steps.
    private var demand: UnmetDemand<Downstream.Input>
    private let lock = Lock()
    /// Guarded by `lock`: it is released where the subscription is cancelled.
    private var downstream: Downstream?

    init(_ downstream: Downstream, keepsNewest: Bool) {
      self.downstream = downstream
      demand = UnmetDemand(keepsNewest: keepsNewest)
    }

    /// Runs what hands the subscription over. Nothing is sent before that has returned.
    func subscribe(_ body: @escaping () -> Void) { take(.subscribe(body)) }

    func send(_ value: Downstream.Input) { take(.value(value)) }

    func request(_ demand: Subscribers.Demand) { take(.request(demand)) }

    func complete() { take(.complete) }

    /// Sends nothing from now on; on another thread at most a call that has begun finishes.
    func cancel() {
      let released = takeDownstream()
      take(.cancel)
      withExtendedLifetime(released) {}
    }

    private func take(_ step: Step) {
      serializer.send(step) { step in
        switch step {
        case .subscribe(let body): body()
        case .value(let value): send(requested: demand.receive(value))
        case .request(let more): send(requested: demand.request(more.max))
        case .complete: takeDownstream()?.receive(completion: .finished)
        case .cancel: demand = UnmetDemand(keepsNewest: false)
        }
      }
    }

    /// Sends a value that is requested, and what the subscriber requests in return.
    private func send(requested value: Downstream.Input?) {
      var next = value
      while let value = next, let downstream = lock.withLock({ downstream }) {
        next = demand.request(downstream.receive(value).max)
      }
    }

    private func takeDownstream() -> Downstream? {
      lock.withLock { downstream.take() }
    }
  }
#endif
