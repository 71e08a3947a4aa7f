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
  /// The address of what the token ends, or 0.
  ///
  /// For a closure, the `ObservedKey` whose observers include it, permanently. Otherwise the
  /// `Registration`, which only the token retains: it is released when the token is invalidated or
  /// the observed object is deallocated (P32, P33), and the word is then 0.
  let attachment: Atomic<UInt>
  let isClosure: Bool
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

  /// Takes a registration that is about to be attached to `context`.
  init(_ registration: Registration, in context: Unmanaged<ObservationContext>) {
    self.context = context.retain()
    attachment = Atomic(UInt(bitPattern: Unmanaged.passRetained(registration).toOpaque()))
    isClosure = false
    registration.token = .passUnretained(self)
  }

  /// Observes a key that notifies automatically and depends on no other.
  @usableFromInline
  init(
    calling closure: AnyHandler, needing needs: ObserverNeeds,
    by call: @escaping ClosureInvoker.Call,
    at property: Unmanaged<ClassProperty>, in context: Unmanaged<ObservationContext>
  ) {
    self.context = context.retain()
    attachment = Atomic(0)
    isClosure = true
    ThreadState.current.forgetFormerObserver(at: identity)
    let (name, invoker) = property._withUnsafeGuaranteedRef { ($0.property.name, $0.invoker(call)) }
    let observedKey = context._withUnsafeGuaranteedRef {
      $0.attach(closure, needing: needs, calledBy: invoker, toKey: name, of: self)
    }
    attachment.store(UInt(bitPattern: observedKey.toOpaque()), ordering: .relaxed)
    RegistrationWatch.note(
      self,
      property._withUnsafeGuaranteedRef {
        KeyValueRegistration(subject: $0.owner, keyPath: $0.property.key)
      })
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
    self.init(end: ClosureEnd(onEnd))
  }

  /// Makes one token of several, which end together.
  convenience init(_ parts: [KeyValueObservation]) {
    self.init(end: TokenGroup(parts))
  }

  private init(end: Registration) {
    // Nothing is attached to this context. Its lock ensures that the observation ends once.
    context = .passRetained(ObservationContext())
    attachment = Atomic(UInt(bitPattern: Unmanaged.passRetained(end).toOpaque()))
    isClosure = false
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
    let (isAttached, group) = context._withUnsafeGuaranteedRef { context in
      context.lock.withLock { () -> (Bool, TokenGroup?) in
        if context.isDeallocated { return (false, nil) }
        if isClosure { return (index >= 0, nil) }
        let registration = UnsafeRawPointer(bitPattern: attachment.load(ordering: .relaxed))
          .map { Unmanaged<Registration>.fromOpaque($0).takeUnretainedValue() }
        return (registration != nil, registration as? TokenGroup)
      }
    }
    // Its parts have locks of their own.
    return group.map { $0.parts.contains(where: \.isActive) } ?? isAttached
  }

  /// Whether it is the token of an observer.
  package func isToken(of observer: UnsafeRawPointer) -> Bool {
    observer == identity
      || !isClosure && UInt(bitPattern: observer) == attachment.load(ordering: .relaxed)
  }

  /// Identifies the observers that the token stands for.
  var observers: [ObserverIdentity] {
    if isClosure { return [identity] }
    guard
      let registration = context._withUnsafeGuaranteedRef({ context in
        context.lock.withLock {
          UnsafeRawPointer(bitPattern: attachment.load(ordering: .relaxed))
            .map { Unmanaged<Registration>.fromOpaque($0).takeUnretainedValue() }
        }
      })
    else { return [] }
    return (registration as? TokenGroup)?.parts.flatMap(\.observers) ?? [registration.identity]
  }

  /// Identifies the observer while its closure is called.
  private var identity: ObserverIdentity {
    ObserverIdentity(Unmanaged.passUnretained(self).toOpaque())
  }

  private func end() {
    if isClosure { return endClosure() }
    guard let ended = takeAttachment() else { return }
    ended._withUnsafeGuaranteedRef {
      $0.markEnded()
      $0.didEnd()
    }
    // The closure is released here, outside the lock.
    ended.release()
  }

  private func endClosure() {
    guard let observedKey = UnsafeRawPointer(bitPattern: attachment.load(ordering: .relaxed)) else {
      return
    }
    context._withUnsafeGuaranteedRef { $0.detachClosure(of: self, from: .fromOpaque(observedKey)) }
  }

  /// Notes that the closure is no longer registered.
  func wasRemoved() { index = -1 }

  /// Detaches the observation from the observed object.
  private func takeAttachment() -> Unmanaged<Registration>? {
    // Most tokens are invalidated before they are deinitialized.
    if attachment.load(ordering: .acquiring) == 0 { return nil }
    return context._withUnsafeGuaranteedRef { context in
      context.lock.lock()
      guard let taken = takeLocked() else {
        context.lock.unlock()
        return nil
      }
      let idle = taken._withUnsafeGuaranteedRef { registration in
        registration.token = nil
        return context.detachLocked(registration)
      }
      context.lock.unlock()
      idle?.end()
      return taken
    }
  }

  /// Detaches the registration because its observed object was deallocated, with the lock of the
  /// context held.
  ///
  /// - Returns: The registration, to be released outside the lock.
  func subjectDeallocatedLocked() -> Unmanaged<Registration>? {
    let taken = takeLocked()
    taken?._withUnsafeGuaranteedRef { $0.token = nil }
    return taken
  }

  private func takeLocked() -> Unmanaged<Registration>? {
    let bits = attachment.load(ordering: .relaxed)
    // From here on another thread, which does not wait for the lock, may deinitialize the token.
    attachment.store(0, ordering: .releasing)
    return UnsafeRawPointer(bitPattern: bits).map(Unmanaged<Registration>.fromOpaque)
  }
}

/// The storage of a token for several observations.
private final class TokenGroup: Registration {
  let parts: [KeyValueObservation]

  init(_ parts: [KeyValueObservation]) {
    self.parts = parts
    super.init(needs: []) { _, _ in }
  }

  override func didEnd() {
    for part in parts { part.invalidate() }
  }
}

/// The storage of a token for another kind of registration.
private final class ClosureEnd: Registration {
  private let onEnd: @Sendable () -> Void

  init(_ onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
    super.init(needs: []) { _, _ in }
  }

  override func didEnd() { onEnd() }
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
