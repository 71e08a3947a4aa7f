/// Keeps an observation alive.
///
/// The observation lasts until the returned token is invalidated or deinitialized. Both may happen
/// on any thread and inside any callback. Tokens are equal if they are the same token.
public final class KeyValueObservation: Hashable, Sendable {
  private let context: Context?
  // Guarded by the lock of the context. This is the one strong reference to the observation: it is
  // dropped, and the closure with it, when the token says so or the subject dies (P32, P33).
  nonisolated(unsafe) private var attachment: Attachment?

  /// Takes an attachment that is about to be attached to `context`.
  init(_ attachment: Attachment, in context: Context) {
    self.context = context
    self.attachment = attachment
    attachment.token = self
  }

  /// Attaches an observation that needs nothing else. Returns nil, and does nothing, if the
  /// property needs more.
  @usableFromInline
  init?(
    attaching attachment: consuming Attachment, to known: Unmanaged<KnownKeyPath>,
    in context: Unmanaged<Context>
  ) {
    guard known._withUnsafeGuaranteedRef({ $0.isSelfContained }) else { return nil }
    self.context = context.takeUnretainedValue()
    self.attachment = attachment
    context._withUnsafeGuaranteedRef { context in
      known._withUnsafeGuaranteedRef { known in
        self.attachment.unsafelyUnwrapped.token = self
        context.attach(self.attachment.unsafelyUnwrapped, toKey: known.property.name)
      }
    }
  }

  /// Makes one token of several, which end together.
  init(_ parts: [KeyValueObservation]) {
    context = nil
    attachment = TokenGroup(parts)
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
    guard let context else {
      attachment?.didEnd()
      return
    }
    context.lock.lock()
    guard let ended = attachment.take() else { return context.lock.unlock() }
    ended.token = nil
    let idle = context.detachLocked(ended)
    context.lock.unlock()
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

/// What the token of several observations keeps.
private final class TokenGroup: Attachment {
  private let parts: [KeyValueObservation]

  init(_ parts: [KeyValueObservation]) {
    self.parts = parts
    super.init(demand: []) { _, _ in }
  }

  override func didEnd() {
    for part in parts { part.invalidate() }
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
