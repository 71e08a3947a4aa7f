public import Foundation
internal import KeyValueObservingCore

extension NotificationCenter {
  /// Calls `perform` with each notification of a name.
  ///
  /// The handler is called synchronously, on the thread that posts and before `post` returns. A
  /// handler that is registered on an actor belongs to that actor: it receives a notification that
  /// is posted there immediately, and any other one later, in order (P40), without the object if
  /// the object posts it in its own `deinit`. Observers are called in the center's order, which is
  /// not guaranteed.
  ///
  /// The observation lasts until the returned token is invalidated or deinitialized; discarding the
  /// token ends it immediately.
  ///
  /// - Parameters:
  ///   - name: The name of the notification.
  ///   - object: The sender of the notifications, or nil for any sender. It is not retained.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - perform: The handler, called with each notification.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: That of the center's own `addObserver(forName:object:queue:using:)`.
  public func onNotification(
    _ name: Notification.Name, object: AnyObject? = nil,
    isolation: isolated (any Actor)? = #isolation,
    perform: @escaping (Notification) -> Void
  ) -> NotificationObservation {
    NotificationObservation(
      in: self, of: name, from: object, ActorRecipient(isolation: isolation, perform))
  }

  /// Calls a closure that any thread may call with each notification of a name, on the thread that
  /// posts and before `post` returns.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The sender of the notifications, or nil for any sender.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler, called with each notification.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: That of the center's own `addObserver(forName:object:queue:using:)`.
  public func onNotification(
    _ name: Notification.Name, object: AnyObject? = nil, isolation: KeyValueNonisolated?,
    perform: @escaping @Sendable (Notification) -> Void
  ) -> NotificationObservation {
    onNotification(name, object: object, perform: perform)
  }

  /// Takes a closure that is not `@Sendable`, although any thread may call it.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The sender of the notifications, or nil for any sender.
  ///   - isolation: Nil, so that the observation belongs to no actor.
  ///   - perform: The handler, called with each notification.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @available(*, deprecated, message: "A closure that any thread may call is @Sendable")
  public func onNotification(
    _ name: Notification.Name, object: AnyObject? = nil,
    isolation: (any KeyValueNonisolatedActor)?, perform: sending @escaping (Notification) -> Void
  ) -> NotificationObservation {
    onNotification(name, object: object, perform: perform)
  }
}
