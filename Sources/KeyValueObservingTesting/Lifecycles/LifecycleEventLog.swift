public import LifecycleObserving

/// A lifecycle observer that records what it is notified of.
///
///     let log = LifecycleEventLog()
///     screen.addLifecycleObserver(log)
///     screen.lifecycle.move(to: .visible)
///     #expect(log.take() == [.didLoad, .willAppear, .didAppear])
///
/// Added to several owners, it records the moments of all of them in their order. Use it where the
/// owners are used.
public final class LifecycleEventLog: LifecycleObserver {
  /// The moments so far, the first one first.
  public private(set) var events: [Lifecycle.Moment] = []

  /// Creates an empty log.
  public init() {}

  /// Returns the moments since the last call.
  public func take() -> [Lifecycle.Moment] {
    defer { events = [] }
    return events
  }

  /// Records the event.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func didLoad(_ owner: any LifecycleOwner) { events.append(.didLoad) }

  /// Records the event.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func willAppear(_ owner: any LifecycleOwner) { events.append(.willAppear) }

  /// Records the event.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func didAppear(_ owner: any LifecycleOwner) { events.append(.didAppear) }

  /// Records the event.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func willDisappear(_ owner: any LifecycleOwner) { events.append(.willDisappear) }

  /// Records the event.
  ///
  /// - Parameter owner: The owner whose lifecycle has changed.
  public func didDisappear(_ owner: any LifecycleOwner) { events.append(.didDisappear) }
}
