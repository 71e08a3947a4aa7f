public import Synchronization

/// One entry in an observer list: an observer's closure itself, or a registration.
///
/// A closure needs no object of its own, and is stored beside those that are called before and after
/// it (rows: each further observer, register + end, memory).
@usableFromInline
struct ObserverEntry: ~Copyable {
  /// The closure, which the entry owns until it is taken.
  ///
  /// Nothing for a registration.
  @usableFromInline
  var closure: AnyHandler?
  /// Zero if the observer must not be called any more.
  ///
  /// Otherwise the address of the registration, or that of the closure's token with the closure's
  /// `Kind` in the bits that an address leaves free.
  @usableFromInline
  let mark: Atomic<UInt>

  /// A vacant one.
  init() {
    mark = Atomic(0)
  }

  init(_ registration: Registration) {
    mark = Atomic(UInt(bitPattern: Unmanaged.passUnretained(registration).toOpaque()))
  }

  init(_ closure: AnyHandler, _ kind: Kind, of token: KeyValueObservation) {
    self.closure = closure
    mark = Atomic(UInt(bitPattern: Unmanaged.passUnretained(token).toOpaque()) | kind.rawValue)
  }

  private init(closure: AnyHandler?, mark: UInt) {
    self.closure = closure
    self.mark = Atomic(mark)
  }

  /// The same for a wider buffer.
  ///
  /// One of the two has to be left without being taken from.
  func copied() -> ObserverEntry {
    ObserverEntry(closure: closure, mark: mark.load(ordering: .relaxed))
  }

  /// The needs of a closure, the common part of the marks of similar closures.
  @usableFromInline
  struct Kind: Equatable {
    @usableFromInline
    let rawValue: UInt

    @inlinable
    init(mark: UInt) {
      rawValue = mark & 7
    }

    @inlinable
    init(closureNeeding needs: ObserverNeeds) {
      rawValue = 4 | UInt(needs.rawValue & 3)
    }

    @inlinable var isClosure: Bool { rawValue & 4 != 0 }
    @inlinable var needs: ObserverNeeds {
      ObserverNeeds(rawValue: UInt16(truncatingIfNeeded: rawValue & 3))
    }
  }

  @inlinable var kind: Kind { Kind(mark: mark.load(ordering: .relaxed)) }

  /// The observer in an entry.
  enum Content {
    case closure(of: Unmanaged<KeyValueObservation>)
    case registration(Unmanaged<Registration>)
    /// It must not be called any more.
    case vacant
  }

  var content: Content {
    let mark = mark.load(ordering: .acquiring)
    if Kind(mark: mark).isClosure {
      return .closure(of: .fromOpaque(UnsafeRawPointer(bitPattern: mark & ~7).unsafelyUnwrapped))
    }
    return UnsafeRawPointer(bitPattern: mark).map { .registration(.fromOpaque($0)) } ?? .vacant
  }

  /// The registration, unless the entry has a closure or was removed.
  var registration: Unmanaged<Registration>? {
    if case .registration(let registration) = content { registration } else { nil }
  }

  /// The token of the closure in this entry.
  var token: Unmanaged<KeyValueObservation>? {
    if case .closure(let token) = content { token } else { nil }
  }

  /// The identity of the entry's observer.
  var observer: ObserverIdentity? {
    switch content {
    case .closure(let token): ObserverIdentity(token.toOpaque())
    case .registration(let registration): registration._withUnsafeGuaranteedRef { $0.identity }
    case .vacant: nil
    }
  }
}

// MARK: Calling a closure in place

extension UnsafePointer<ObserverEntry> {
  /// Calls the closure of the entry, which takes these types.
  ///
  /// It takes a reference as its first parameter, of whatever class.
  @inlinable
  @inline(__always)
  func callClosure<Value>(_ subject: AnyObject, _ change: KeyValueChange<Value>) {
    UnsafeRawPointer(self).assumingMemoryBound(to: Handler<AnyObject, Value>.self)
      .pointee(subject, change)
  }

  /// Calls the closure of the entry with the change at an address, of the type that it takes.
  ///
  /// The change is not copied for it.
  @inlinable
  @inline(__always)
  func callClosure(_ subject: AnyObject, changeAt change: UnsafeRawPointer) {
    UnsafeRawPointer(self).assumingMemoryBound(to: AddressHandler.self).pointee(subject, change)
  }
}

/// An observer's closure, of a type that only its property knows.
@usableFromInline
struct AnyHandler {
  private let function: UnsafeRawPointer
  private let context: UnsafeRawPointer?

  /// Keeps a closure.
  ///
  /// `release()` must follow.
  @inlinable
  init<Subject: AnyObject, Value>(
    _ handler: consuming @escaping (Subject, KeyValueChange<Value>) -> Void
  ) {
    // Taken from a variable, since a closure cannot consume what it captures.
    var kept: Handler<Subject, Value>? = Handler(handler)
    // Two words, like the closure, which stays retained because this memory is not deinitialized.
    self = withUnsafeTemporaryAllocation(of: AnyHandler.self, capacity: 1) { words in
      let start = words.baseAddress.unsafelyUnwrapped
      UnsafeMutableRawPointer(start).initializeMemory(
        as: Handler<Subject, Value>.self, to: kept.take()!)
      return start.pointee
    }
  }

  /// Keeps a closure that takes a change by its address.
  ///
  /// `release()` must follow.
  init(takingAddress handler: @escaping (AnyObject, UnsafeRawPointer) -> Void) {
    var kept: AddressHandler? = AddressHandler(handler)
    self = withUnsafeTemporaryAllocation(of: AnyHandler.self, capacity: 1) { words in
      let start = words.baseAddress.unsafelyUnwrapped
      UnsafeMutableRawPointer(start).initializeMemory(as: AddressHandler.self, to: kept.take()!)
      return start.pointee
    }
  }

  /// Calls the closure, which takes these types, without retaining it.
  @inlinable
  func callAsFunction<Subject: AnyObject, Value>(
    _ subject: Subject, _ change: KeyValueChange<Value>
  ) {
    withUnsafePointer(to: self) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Handler<Subject, Value>.self)
        .pointee(subject, change)
    }
  }

  /// Lets go of the closure and what it captured.
  ///
  /// Call it outside of every lock.
  func release() {
    guard let context else { return }
    Unmanaged<ClosureContext>.fromOpaque(context).release()
  }

  /// The captures of a closure, as an object of Swift; none is made.
  private final class ClosureContext {}
}

// A function calls it: a closure that is read from outside is retained for the call (row: set, 1 observer).
/// An observer's closure, which can be called without being retained.
@usableFromInline
struct Handler<Subject: AnyObject, Value>: ~Copyable {
  @usableFromInline
  let call: (Subject, KeyValueChange<Value>) -> Void

  @inlinable
  init(_ call: consuming @escaping (Subject, KeyValueChange<Value>) -> Void) {
    self.call = call
  }

  @inlinable
  borrowing func callAsFunction(_ subject: Subject, _ change: KeyValueChange<Value>) {
    call(subject, change)
  }
}

/// The same as a function that takes the address of the change.
///
/// A `Handler` takes one too: so Swift passes a value whose layout depends on a parameter of the type that declares
/// the closure (see RuntimeLayout).
@usableFromInline
struct AddressHandler: ~Copyable {
  @usableFromInline
  let call: (AnyObject, UnsafeRawPointer) -> Void

  init(_ call: @escaping (AnyObject, UnsafeRawPointer) -> Void) {
    self.call = call
  }

  @inlinable
  borrowing func callAsFunction(_ subject: AnyObject, _ change: UnsafeRawPointer) {
    call(subject, change)
  }
}
