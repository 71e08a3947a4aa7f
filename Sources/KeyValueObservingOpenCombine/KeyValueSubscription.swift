#if canImport(Combine) || OpenCombine
  public import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency public import Combine
  #else
    @preconcurrency public import OpenCombine
  #endif

  /// The subscription that a subscriber keeps.
  ///
  /// The observation lasts as long, or until it is cancelled.
  @usableFromInline
  final class KeyValueSubscription: Subscription {
    private let subscriber: RequestReceiver
    private let token: KeyValueObservation

    @usableFromInline
    init(_ subscriber: RequestReceiver, _ token: KeyValueObservation) {
      self.subscriber = subscriber
      self.token = token
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) { subscriber.onRequest(subscriber, demand) }

    @usableFromInline
    func cancel() {
      subscriber.onCancel(subscriber)
      token.invalidate()
    }
  }

  extension KeyValueSubscription: CustomStringConvertible, CustomReflectable {
    @usableFromInline
    var description: String { "KeyValueObservingPublisher" }
    /// Shows nothing: what it keeps belongs to the thread that sends.
    @usableFromInline
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  // Stored closures, because those that are made where the types are known are specialized, while
  // overridden methods of a generic class look for metadata whenever they are called, which takes longer
  // than all the rest (row: publisher, subscribe + cancel).
  /// The receiver of a subscription's requests, for every type of values.
  @usableFromInline
  class RequestReceiver {
    @usableFromInline
    typealias Request = (RequestReceiver, Subscribers.Demand) -> Void
    @usableFromInline
    typealias Cancel = (RequestReceiver) -> Void

    /// Adds to the demand of the receiver, which is passed to the closure.
    @usableFromInline
    let onRequest: Request
    /// Ends the receiver, which is passed to the closure.
    @usableFromInline
    let onCancel: Cancel

    @usableFromInline
    init(onRequest: @escaping Request, onCancel: @escaping Cancel) {
      self.onRequest = onRequest
      self.onCancel = onCancel
    }
  }
#endif
