#if canImport(Combine) || OpenCombine
  internal import KeyValueObservingCore
  public import KeyValueObserving
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

    /// Creates a publisher of the changes of the value at a key path of an object.
    public init(
      object: Subject, keyPath: KeyPath<Subject, Value>,
      options: KeyValueObservation.Options = .new
    ) {
      self.object = object
      self.keyPath = keyPath
      self.options = options
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      KeyValueSubscription.start(subscriber, options) { [self] subscriber in
        object.stream(
          of: keyPath, options: options, send: { subscriber.send($1) },
          complete: subscriber.complete)
      }
    }
  }

  extension KeyValueChangePublisher: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
      left.object === right.object && left.keyPath == right.keyPath
        && left.options == right.options
    }
  }
#endif
