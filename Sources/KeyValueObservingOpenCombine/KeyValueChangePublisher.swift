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
    /// The published changes.
    public typealias Output = KeyValueChange<Value>

    /// A subscription never fails.
    public typealias Failure = Never

    /// The observed object.
    public let object: Subject
    /// The property or path that is observed.
    public let keyPath: KeyPath<Subject, Value>
    /// The values that changes include, and which changes are sent.
    public let options: KeyValueObservation.Options

    /// Subscribes.
    ///
    /// A closure that is made where the types are known.
    @usableFromInline
    let subscribe: (Self, @escaping SerialSubscriber<Output>.Downstream) -> Void

    /// Creates a publisher of the changes of the value at a key path of an object.
    ///
    /// - Parameters:
    ///   - object: The object to observe.
    ///   - keyPath: The key path to observe.
    ///   - options: The values to include in each change, and whether to send an initial one.
    @inlinable
    public init(
      object: Subject, keyPath: KeyPath<Subject, Value>,
      options: KeyValueObservation.Options = .new
    ) {
      self.object = object
      self.keyPath = keyPath
      self.options = options
      subscribe = { publisher, downstream in
        SerialSubscriber.subscribe(downstream, publisher.options) { subscriber in
          publisher.object.stream(
            of: publisher.keyPath, options: publisher.options, send: { subscriber.send($1) },
            complete: { subscriber.complete() })
        }
      }
    }

    /// Begins an observation for a subscriber.
    ///
    /// - Parameter subscriber: The subscriber that receives the elements.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      subscribe(self) { subscriber.receive($0) }
    }
  }

  extension KeyValueChangePublisher: Equatable {
    /// Returns whether two publishers observe the same object along equal key paths.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.object === rhs.object && lhs.keyPath == rhs.keyPath
        && lhs.options == rhs.options
    }
  }
#endif
