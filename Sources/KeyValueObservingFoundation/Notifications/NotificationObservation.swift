internal import Foundation
public import KeyValueObservingCore

/// Keeps the observation of a notification alive.
///
/// The observation lasts until the returned token is invalidated or deinitialized. Both may happen
/// on any thread and inside any callback. Tokens are equal if they are the same token.
public final class NotificationObservation: Hashable, Sendable {
  private let center: NotificationCenter
  private let recipient: ActorRecipient<Notification>
  // Immutable, and nothing but handed back to the center, which may be called from any thread.
  nonisolated(unsafe) private let registration: any NSObjectProtocol
  // Never read. The center knows the object by its address, so this keeps the object's memory from
  // being given to another one.
  nonisolated(unsafe) private let object: WeakReference?

  init(
    in center: NotificationCenter, of name: Notification.Name, from object: AnyObject?,
    _ recipient: ActorRecipient<Notification>
  ) {
    self.center = center
    self.recipient = recipient
    self.object = object.map { WeakReference($0) }
    registration = center.addObserver(forName: name, object: object, queue: nil) {
      recipient.send($0) { $0.withoutDyingObject }
    }
  }

  deinit { invalidate() }

  /// Ends the observation.
  ///
  /// It does nothing if the observation has ended.
  ///
  /// After it returns on the thread that posts, the closure is never called again; on another thread
  /// at most a call that had already begun finishes (P31). The closure is released, with what it
  /// captured.
  public func invalidate() {
    if recipient.end() { center.removeObserver(registration) }
  }

  /// Whether the observation lasts: it has not been invalidated.
  ///
  /// It may be read on any thread. Another thread may end the observation as soon as this has returned.
  ///
  /// - Complexity: O(1).
  public var isActive: Bool { recipient.isActive }

  /// Stores the token in a set beside those of other observations.
  ///
  /// The set keeps a `KeyValueObservation` in its place, with which the observation ends as well.
  ///
  /// - Parameter set: The set that keeps the token.
  public func store(in set: inout Set<KeyValueObservation>) {
    set.insert(KeyValueObservation(self))
  }

  /// Stores the token at the end of a collection beside those of other observations.
  ///
  /// The collection keeps a `KeyValueObservation` in its place, with which the observation ends as well.
  ///
  /// - Parameter collection: The collection that keeps the token.
  public func store<Tokens: RangeReplaceableCollection>(in collection: inout Tokens)
  where Tokens.Element == KeyValueObservation {
    collection.append(KeyValueObservation(self))
  }

  /// Stores the token in a set.
  ///
  /// The observation ends when nothing keeps the token any more.
  ///
  /// - Parameter set: The set that keeps the token.
  public func store(in set: inout Set<NotificationObservation>) {
    set.insert(self)
  }

  /// Stores the token at the end of a collection.
  ///
  /// The observation ends when nothing keeps the token any more.
  ///
  /// - Parameter collection: The collection that keeps the token.
  public func store<Tokens: RangeReplaceableCollection>(in collection: inout Tokens)
  where Tokens.Element == NotificationObservation {
    collection.append(self)
  }

  /// Returns whether two tokens are the same token.
  public static func == (lhs: NotificationObservation, rhs: NotificationObservation) -> Bool {
    lhs === rhs
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension KeyValueObservation {
  /// Creates a token that keeps the token of a notification, and ends its observation.
  fileprivate convenience init(_ token: NotificationObservation) {
    self.init { token.invalidate() }
  }
}

extension Notification {
  /// The notification, without an object that posts it in its own `deinit` and cannot be retained.
  fileprivate var withoutDyingObject: Notification {
    guard let object, type(of: object) is AnyClass,
      WeakReference(object as AnyObject).target == nil
    else { return self }
    return Notification(name: name, object: nil, userInfo: userInfo)
  }
}
