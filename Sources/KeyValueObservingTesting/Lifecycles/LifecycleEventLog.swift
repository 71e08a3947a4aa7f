public import LifecycleObserving

/// A lifecycle observer that records its notifications.
///
///     let log = LifecycleEventLog()
///     screen.addLifecycleObserver(log)
///     screen.lifecycle.move(to: .visible)
///     #expect(log.take() == [.didLoad, .willAppear, .didAppear])
///
/// Added to several owners, it records the moments of all of them in their order. Use it on the
/// actor or thread of the owners.
public final class LifecycleEventLog: LifecycleObserver {
  /// The moments so far, the first one first.
  public private(set) var events: [Lifecycle.Moment] = []

  /// Creates an empty log.
  public init() {}

  /// Removes the moments from the log.
  ///
  /// - Returns: The moments since the last call.
  public func take() -> [Lifecycle.Moment] {
    defer { events = [] }
    return events
  }

  /// Records the moment.
  ///
  /// - Parameter owner: The owner that notifies.
  public func didLoad(_ owner: any LifecycleOwner) { events.append(.didLoad) }

  /// Records the moment.
  ///
  /// - Parameter owner: The owner that notifies.
  public func willAppear(_ owner: any LifecycleOwner) { events.append(.willAppear) }

  /// Records the moment.
  ///
  /// - Parameter owner: The owner that notifies.
  public func didAppear(_ owner: any LifecycleOwner) { events.append(.didAppear) }

  /// Records the moment.
  ///
  /// - Parameter owner: The owner that notifies.
  public func willDisappear(_ owner: any LifecycleOwner) { events.append(.willDisappear) }

  /// Records the moment.
  ///
  /// - Parameter owner: The owner that notifies.
  public func didDisappear(_ owner: any LifecycleOwner) { events.append(.didDisappear) }
}
