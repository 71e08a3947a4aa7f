#if canImport(Combine) || OpenCombine
  public import KeyValueObservingCore
  #if canImport(Combine)
    @preconcurrency public import Combine
  #else
    @preconcurrency public import OpenCombine
  #endif

  /// A publisher of the value at a key path of an object, in the manner of Foundation's
  /// `NSObject.KeyValueObservingPublisher`.
  ///
  /// Each subscriber is a registration of its own. Values are sent on the thread that makes the change,
  /// before its setter returns (P8), one at a time: one that comes while another is being sent follows
  /// it. Nothing is sent before `receive(subscription:)` has returned. The publisher completes when the
  /// object has been deallocated, which needs no demand.
  ///
  /// With `initial` the publisher is like a `CurrentValueSubject`: a value that is not requested is
  /// replaced by the next one, and the newest is sent when one is requested. Without, it is like a
  /// `PassthroughSubject`: a value that is not requested is dropped. With `prior` the value before a
  /// change is sent before it. A key path that unwraps an object sends nothing while that is nil (P26),
  /// not even a value that waited for demand.
  ///
  /// The publisher retains its object; its subscriptions do not. A subscription lasts until it is
  /// cancelled or released, and is kept by its subscriber: by the `AnyCancellable` of `sink`.
  public struct KeyValueObservingPublisher<Subject: KeyValueObservable, Value>: Publisher {
    /// The published values.
    public typealias Output = Value

    /// A subscription never fails.
    public typealias Failure = Never

    /// The observed object.
    public let object: Subject
    /// The property or path that is observed.
    public let keyPath: KeyPath<Subject, Value>
    /// Which values are sent.
    public let options: KeyValueObservation.Options

    /// Subscribes.
    ///
    /// A closure that is made where the types are known.
    @usableFromInline
    let subscribe: (Self, @escaping SerialSubscriber<Value>.Downstream) -> Void

    /// Creates a publisher of the value at a key path of an object.
    ///
    /// - Parameters:
    ///   - object: The object to observe.
    ///   - keyPath: The key path to observe.
    ///   - options: The values to include in each change, and whether to send an initial one.
    @inlinable
    public init(
      object: Subject, keyPath: KeyPath<Subject, Value>,
      options: KeyValueObservation.Options = [.initial, .new]
    ) {
      self.object = object
      self.keyPath = keyPath
      self.options = options
      subscribe = { publisher, downstream in
        let (keyPath, options) = (publisher.keyPath, publisher.options)
        SerialSubscriber.subscribe(downstream, options) { subscriber in
          publisher.object.stream(
            of: keyPath,
            // The values from before changes are those of prior notifications.
            options: options.union(options.contains(.prior) ? [.new, .old] : .new),
            send: {
              if let value = $1.publishedValue($0.presentValue(at: keyPath)) {
                subscriber.send(value)
              } else {
                subscriber.withdraw()
              }
            },
            complete: { subscriber.complete() })
        }
      }
    }

    /// Begins an observation for a subscriber.
    ///
    /// - Parameter subscriber: The subscriber that receives the elements.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == Never {
      subscribe(self) { subscriber.receive($0) }
    }

    /// Returns a publisher that sends `()` for each value.
    public func didChange() -> Publishers.Map<KeyValueObservingPublisher<Subject, Value>, Void> {
      map { _ in }
    }
  }

  extension KeyValueObservingPublisher: Equatable {
    /// Returns whether two publishers observe the same object along equal key paths.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.object === rhs.object && lhs.keyPath == rhs.keyPath
        && lhs.options == rhs.options
    }
  }

  extension KeyValueChange {
    /// The value that a change is published as: the one before it in a prior notification.
    @inlinable
    func publishedValue(_ current: @autoclosure () -> Value?) -> Value? {
      guard isPrior else { return wholeValue(current()) }
      return kind == .setting ? oldValue ?? current() : current()
    }
  }
#endif
