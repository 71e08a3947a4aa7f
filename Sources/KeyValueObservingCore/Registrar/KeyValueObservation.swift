internal import Synchronization

/// A token that ends its observation when it is deinitialized.
///
/// The observation lasts until the token is invalidated or deinitialized. Both may happen on any
/// thread and inside any callback. Tokens are equal if they are the same token.
///
/// Keep tokens in a property: a single one, or a collection of them. Swift may release a local
/// variable after its last use, and does so with a local array or set in release builds, which ends
/// the observations in it. Extend the lifetime of local tokens explicitly:
///
/// ```swift
/// let tokens = [
///   article.onChange(of: \.title) { print($0) },
///   article.onChange(of: \.author, \.tags) { print("author or tags") },
/// ]
/// withExtendedLifetime(tokens) {
///   article.title = "Hello"   // prints "Hello", in release builds as well
/// }
/// ```
public final class KeyValueObservation: Hashable, @unchecked Sendable {
  // `index` and `attachment` are guarded by the lock of the context.

  /// Retained.
  ///
  /// It is unmanaged because each retain that Swift would add here takes as long as a good part of
  /// a registration.
  let context: Unmanaged<ObservationContext>
  /// The address of what the token ends, which depends on `kind`, or 0.
  let attachment: Atomic<UInt>
  let kind: Kind
  // In three bytes that would be a gap (row: memory of a further observer).
  private var pairEpochHigh: UInt8 = 0
  private var pairEpochLow: UInt16 = 0
  /// The index of the closure among the observers of its observed key; -1 after it has been detached.
  var index: Int32 = -1

  /// The epoch of the key's pairs in which the closure was attached (P19).
  ///
  /// Guarded by the same lock.
  var pairEpoch: UInt32 {
    get { UInt32(pairEpochHigh) << 16 | UInt32(pairEpochLow) }
    set {
      pairEpochHigh = UInt8(truncatingIfNeeded: newValue >> 16)
      pairEpochLow = UInt16(truncatingIfNeeded: newValue)
    }
  }

  static var greatestPairEpoch: UInt32 { 1 << 24 - 1 }

  /// The kind of what a token ends.
  enum Kind {
    /// A closure: the attachment is the `ObservedKey` whose observers include it, permanently.
    case closure
    /// A `Registration`, which only the token retains.
    ///
    /// It is released when the token is invalidated or the observed object is deallocated (P32, P33).
    case registration
    /// A `TokenEnd`, which is released when the token is invalidated.
    case other
  }

  /// Takes a registration that is about to be attached to `context`.
  init(_ registration: Registration, in context: Unmanaged<ObservationContext>) {
    self.context = context.retain()
    attachment = Atomic(UInt(bitPattern: Unmanaged.passRetained(registration).toOpaque()))
    kind = .registration
    registration.token = .passUnretained(self)
    ThreadState.current.forgetFormerObserver(at: registration.identity)
  }

  /// Observes a key that notifies automatically and depends on no other.
  @usableFromInline
  init(
    calling closure: AnyHandler, needing needs: ObserverNeeds,
    at property: Unmanaged<KeyValueProperty>, of owner: AnyClass,
    in context: Unmanaged<ObservationContext>
  ) {
    self.context = context.retain()
    attachment = Atomic(0)
    kind = .closure
    ThreadState.current.forgetFormerObserver(at: identity)
    let observedKey = context._withUnsafeGuaranteedRef {
      $0.attach(closure, needing: needs, to: property, of: self)
    }
    attachment.store(UInt(bitPattern: observedKey.toOpaque()), ordering: .relaxed)
    RegistrationWatch.note(
      self,
      KeyValueRegistration(
        subject: owner, keyPath: property._withUnsafeGuaranteedRef { $0.key }))
  }

  /// Creates a token that calls a closure once, when it is invalidated or deinitialized.
  ///
  /// Use it to return the same token from a function that observes something else:
  ///
  /// ```swift
  /// func onResize(perform: @escaping (Size) -> Void) -> KeyValueObservation {
  ///   let id = window.addResizeHandler(perform)
  ///   return KeyValueObservation { [window] in window.removeResizeHandler(id) }
  /// }
  /// ```
  ///
  /// The closure is called on the thread that ends the observation, before ``invalidate()``
  /// returns, and is released after that. No lock of the library is held during the call.
  ///
  /// - Parameter onEnd: Ends what the token represents.
  public convenience init(_ onEnd: @escaping @Sendable () -> Void) {
    self.init(TokenEnd(of: nil, onEnd))
  }

  /// Makes one token of several, which end together.
  convenience init(_ parts: [KeyValueObservation]) {
    self.init(TokenEnd(of: parts) { for part in parts { part.invalidate() } })
  }

  private init(_ end: TokenEnd) {
    // Nothing is attached to this context. Its lock ensures that the token ends once.
    context = .passRetained(ObservationContext())
    attachment = Atomic(UInt(bitPattern: Unmanaged.passRetained(end).toOpaque()))
    kind = .other
  }

  deinit {
    end()
    context.release()
  }

  /// Ends the observation.
  ///
  /// Calling it again does nothing. After it returns on the thread that delivers a change, the
  /// handler is never called again; on another thread, at most a call that has already begun
  /// finishes (P31). The handler is released, with its captures, before this function returns or,
  /// if it is being called, when that call returns.
  ///
  /// - Complexity: O(1) for a single key, O(*n*) for a key path of *n* keys, and for several key
  ///   paths the sum of that.
  public func invalidate() {
    end()
  }

  /// Stores the token in a set, which then keeps the observation alive.
  ///
  /// The set should be a property: Swift may release a local set after its last use, and the tokens
  /// with it. Surround the code that needs local tokens with `withExtendedLifetime(_:_:)`.
  ///
  /// - Parameter set: The set that keeps the token.
  public func store(in set: inout Set<KeyValueObservation>) {
    set.insert(self)
  }

  /// Stores the token at the end of a collection, which then keeps the observation alive.
  ///
  /// The collection should be a property: Swift may release a local collection after its last use,
  /// and the tokens with it. Surround the code that needs local tokens with
  /// `withExtendedLifetime(_:_:)`.
  ///
  /// - Parameter collection: The collection that keeps the token.
  public func store<Tokens: RangeReplaceableCollection>(in collection: inout Tokens)
  where Tokens.Element == KeyValueObservation {
    collection.append(self)
  }

  /// Returns whether two tokens are the same token.
  public static func == (lhs: KeyValueObservation, rhs: KeyValueObservation) -> Bool {
    lhs === rhs
  }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  /// Whether the observation lasts: it has not been invalidated, and the observed object has not been
  /// deallocated.
  ///
  /// It may be read on any thread. Another thread may end the observation as soon as this has returned.
  /// A token of several observations is active as long as one of them is. A token that was created with a
  /// closure is active until it is invalidated.
  ///
  /// - Complexity: O(*n*) for a token of *n* observations.
  public var isActive: Bool {
    // Other tokens have locks of their own.
    if kind == .other { return kept(TokenEnd.self)?.isActive ?? false }
    return withLock {
      !context._withUnsafeGuaranteedRef(\.isDeallocated)
        && (kind == .closure ? index >= 0 : attachment.load(ordering: .relaxed) != 0)
    }
  }

  /// Whether it is the token of an observer.
  package func isToken(of observer: UnsafeRawPointer) -> Bool {
    observer == identity
      || kind == .registration && UInt(bitPattern: observer) == attachment.load(ordering: .relaxed)
  }

  /// The objects whose addresses identify the observers that the token stands for.
  var observers: [AnyObject] {
    switch kind {
    case .closure: [self]
    case .registration: kept(Registration.self).map { [$0.observation] } ?? []
    case .other: kept(TokenEnd.self)?.parts?.flatMap(\.observers) ?? []
    }
  }

  /// The object that the token retains; nil when it has ended.
  private func kept<Object: AnyObject>(_: Object.Type) -> Object? {
    withLock {
      UnsafeRawPointer(bitPattern: attachment.load(ordering: .relaxed))
        .map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    context._withUnsafeGuaranteedRef { $0.lock.withLock(body) }
  }

  /// Identifies the observer while its closure is called.
  private var identity: ObserverIdentity {
    ObserverIdentity(Unmanaged.passUnretained(self).toOpaque())
  }

  @inline(__always)
  private func end() {
    // Most tokens are invalidated before they are deinitialized.
    guard let word = UnsafeRawPointer(bitPattern: attachment.load(ordering: .acquiring)) else {
      return
    }
    switch kind {
    case .closure:
      context._withUnsafeGuaranteedRef { $0.detachClosure(of: self, from: .fromOpaque(word)) }
    case .registration: endRegistration()
    case .other: withLock { takeLocked(TokenEnd.self) }?.takeRetainedValue().onEnd()
    }
  }

  private func endRegistration() {
    context._withUnsafeGuaranteedRef { context in
      context.lock.lock()
      guard let ended = takeRegistrationLocked() else { return context.lock.unlock() }
      let idle = ended._withUnsafeGuaranteedRef { context.takeOutLocked($0) }
      context.lock.unlock()
      idle?.end()
      ended._withUnsafeGuaranteedRef { $0.end() }
      // The closure is released here, outside the lock.
      ended.release()
    }
  }

  /// Takes out the registration, which is detached or about to be, with the lock of the context held.
  ///
  /// - Returns: The registration, to be released outside the lock; nil if it was taken out before.
  func takeRegistrationLocked() -> Unmanaged<Registration>? {
    let taken = takeLocked(Registration.self)
    taken?._withUnsafeGuaranteedRef { $0.token = nil }
    return taken
  }

  private func takeLocked<Object>(_: Object.Type) -> Unmanaged<Object>? {
    let bits = attachment.load(ordering: .relaxed)
    // From here on another thread, which does not wait for the lock, may deinitialize the token.
    attachment.store(0, ordering: .releasing)
    return UnsafeRawPointer(bitPattern: bits).map(Unmanaged<Object>.fromOpaque)
  }
}

/// The end of a token that has no observer of its own: it ends other tokens, or calls a closure of the user.
private final class TokenEnd {
  let parts: [KeyValueObservation]?
  let onEnd: () -> Void

  init(of parts: [KeyValueObservation]?, _ onEnd: @escaping () -> Void) {
    self.parts = parts
    self.onEnd = onEnd
  }

  var isActive: Bool { parts?.contains(where: \.isActive) ?? true }
}

extension KeyValueObservation {
  /// Options that determine the contents and timing of notifications.
  ///
  /// The raw values are those of Cocoa's `NSKeyValueObservingOptions`; `distinct` is an addition.
  public struct Options: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from their bits.
    ///
    /// - Parameter rawValue: The bits of the options.
    @inlinable
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// The change includes the value after it.
    @inlinable public static var new: Options { Options(rawValue: 1) }
    /// The change includes the value before it.
    @inlinable public static var old: Options { Options(rawValue: 2) }
    /// An initial change is delivered before the registering function returns.
    ///
    /// Guarantee: P3.
    @inlinable public static var initial: Options { Options(rawValue: 4) }
    /// A prior notification is delivered before each change.
    ///
    /// Guarantee: P2.
    @inlinable public static var prior: Options { Options(rawValue: 8) }
    /// Omits changes to a value equal to the last one that the observation received.
    ///
    /// Guarantee: P9.
    ///
    /// The first change is compared with the value at registration. The option has no effect on
    /// values that are not `Equatable`, nor on prior notifications.
    @inlinable public static var distinct: Options { Options(rawValue: 16) }
  }
}
