/// Keeps an observation alive.
///
/// The observation lasts until the returned token is invalidated or deinitialized. Both may happen
/// on any thread and inside any callback. Tokens are equal if they are the same token.
public final class KeyValueObservation: Hashable, Sendable {
  private let context: Context?
  // Guarded by the lock of the context. This is the one strong reference to the observation: it is
  // dropped, and the closure with it, when the token says so or the subject dies (P32, P33).
  nonisolated(unsafe) private var attachment: Attachment?
  private let parts: [KeyValueObservation]

  /// Takes an attachment that is about to be attached to `context`.
  @usableFromInline
  init(_ attachment: Attachment, in context: Context) {
    self.context = context
    self.attachment = attachment
    parts = []
    attachment.token = self
  }

  /// Makes one token of several, which end together.
  init(_ parts: [KeyValueObservation]) {
    context = nil
    attachment = nil
    self.parts = parts
  }

  deinit {
    end()
  }

  /// Ends the observation. It does nothing if the observation has ended.
  ///
  /// After it returns on the thread that delivers, the closure is never called again; on another
  /// thread at most a call that had already begun finishes (P31). The closure is released, with
  /// what it captured, before this returns or, if it is being called, when that call is done.
  ///
  /// Complexity: O(1) for a single key, O(*n*) for a key path of *n* links.
  public func invalidate() {
    end()
    for part in parts { part.invalidate() }
  }

  /// Stores the token in a set.
  public func store(in set: inout Set<KeyValueObservation>) {
    set.insert(self)
  }

  /// Stores the token at the end of a collection.
  public func store<Collection: RangeReplaceableCollection>(in collection: inout Collection)
  where Collection.Element == KeyValueObservation {
    collection.append(self)
  }

  public static func == (left: KeyValueObservation, right: KeyValueObservation) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  private func end() {
    guard let context else { return }
    context.lock.lock()
    let ended = attachment
    attachment = nil
    ended?.token = nil
    let idle = ended.flatMap { context.detachLocked($0) }
    context.lock.unlock()
    guard let ended else { return }
    ended.markEnded()
    idle?.end()
    ended.didEnd()
  }

  /// Lets go of the observation because its subject died. Call with the lock of the context held;
  /// the caller keeps the observation until it is released.
  func subjectDiedLocked() {
    attachment = nil
  }
}

extension KeyValueObservation {
  /// What an observation wants to hear, and when.
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt

    @inlinable
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// The change holds the value after it.
    @inlinable public static var new: Options { Options(rawValue: 1) }
    /// The change holds the value before it.
    @inlinable public static var old: Options { Options(rawValue: 2) }
    /// A first change is delivered before the registering function returns (P3).
    @inlinable public static var initial: Options { Options(rawValue: 4) }
    /// The observer is also called before the change is made (P2).
    @inlinable public static var prior: Options { Options(rawValue: 8) }
    /// Changes to a value equal to the one this observation last heard, or registered with, are
    /// not delivered (P9). It has no effect on values that are not `Equatable`, nor on priors.
    @inlinable public static var distinct: Options { Options(rawValue: 16) }
  }
}

extension Demand {
  @inlinable
  init(_ options: KeyValueObservation.Options) {
    self = []
    if options.contains(.old) { insert(.old) }
    if options.contains(.new) { insert(.new) }
    if options.contains(.prior) { insert(.prior) }
  }
}
