#if canImport(Combine) || OpenCombine
  public import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency public import Combine
  #else
    @preconcurrency public import OpenCombine
  #endif

  /// A publisher of the changes of the value at a key path of an object, which Foundation does not have.
  ///
  /// Its elements are the changes that `observe(_:options:isolation:changeHandler:)` receives: with old
  /// values, prior notifications, indexes of inserted and removed elements, and reasons. Everything else
  /// is as with ``KeyValueObservingPublisher``; a change that is not requested is replaced by the next
  /// one with `initial`, and dropped without.
  public struct KeyValueChangePublisher<Subject: KeyValueObservable, Value>: Publisher {
    public typealias Output = KeyValueChange<Value>
    public typealias Failure = Never

    /// The observed object.
    public let object: Subject
    /// The property or path that is observed.
    public let keyPath: KeyPath<Subject, Value>
    /// The values that changes include, and which changes are sent.
    public let options: KeyValueObservation.Options

    /// Registers a subscriber. A closure that is made where the types are known.
    @usableFromInline
    let register: (Self, SerialSubscriber<Output>) -> KeyValueObservation

    /// Creates a publisher of the changes of the value at a key path of an object.
    @inlinable
    public init(
      object: Subject, keyPath: KeyPath<Subject, Value>,
      options: KeyValueObservation.Options = .new
    ) {
      self.object = object
      self.keyPath = keyPath
      self.options = options
      register = { publisher, subscriber in
        publisher.object.stream(
          of: publisher.keyPath, options: publisher.options, send: { subscriber.send($1) },
          complete: { subscriber.complete() })
      }
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      KeyValueSubscription.start(subscriber, options) { register(self, $0) }
    }
  }

  extension KeyValueChangePublisher: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
      left.object === right.object && left.keyPath == right.keyPath
        && left.options == right.options
    }
  }
#endif
