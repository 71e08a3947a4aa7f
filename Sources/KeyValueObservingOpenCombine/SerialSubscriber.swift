#if canImport(Combine) || OpenCombine
  public import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency public import Combine
  #else
    @preconcurrency public import OpenCombine
  #endif

  /// Sends values to a subscriber as it requests them, one at a time, from any threads.
  ///
  /// Values, requests and the completion are taken one after the other, in the order in which they come:
  /// what comes while the subscriber is being called is looked at when it has returned.
  // Generic over the values, and not over the subscriber, whose type is not known where a publisher is
  // made: `send` is specialized there.
  @usableFromInline
  final class SerialSubscriber<Value>: RequestReceiver, @unchecked Sendable {
    @usableFromInline
    let serializer = EventSerializer()
    /// Used by the thread whose turn it is.
    @usableFromInline
    var demand: UnmetDemand<Value>
    private let lock = Lock()
    /// Calls the subscriber. Guarded by `lock`: it is released where the subscription is cancelled.
    private var receive: ((Value) -> Subscribers.Demand)?
    private var finish: (() -> Void)?

    init<Downstream: Subscriber>(_ downstream: Downstream, keepsNewest: Bool)
    where Downstream.Input == Value, Downstream.Failure == Never {
      receive = { downstream.receive($0) }
      finish = { downstream.receive(completion: .finished) }
      demand = UnmetDemand(keepsNewest: keepsNewest)
    }

    /// Runs what hands the subscription over. Nothing is sent before that has returned.
    func subscribe(_ body: @escaping () -> Void) {
      serializer.send(body, to: self) { $1() }
    }

    @inlinable
    func send(_ value: Value) {
      serializer.send(value, to: self) { $0.send(requested: $0.demand.receive($1)) }
    }

    override func request(_ demand: Subscribers.Demand) {
      serializer.send(demand, to: self) { $0.send(requested: $0.demand.request($1.max)) }
    }

    @usableFromInline
    func complete() {
      serializer.send((), to: self) { subscriber, _ in subscriber.takeDownstream()?() }
    }

    /// Sends nothing from now on; on another thread at most a call that has begun finishes.
    override func cancel() {
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
      while let value = next, let receive = currentReceive {
        next = demand.request(receive(value).max)
      }
    }

    @usableFromInline
    var currentReceive: ((Value) -> Subscribers.Demand)? { lock.withLock { receive } }

    /// Lets go of the subscriber. Returns what completes it.
    private func takeDownstream() -> (() -> Void)? {
      let taken = lock.withLock { (receive.take(), finish.take()) }
      return taken.1
    }
  }

  /// What a subscription passes on.
  @usableFromInline
  class RequestReceiver {
    init() {}
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
#endif
