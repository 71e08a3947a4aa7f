public import CKeyValueObserving
public import Synchronization

/// The registrations of an object's observers, in one word that the object stores.
///
/// The `@KeyValueObservable` macro adds it. A class that conforms manually declares `let
/// keyValueRegistrar = KeyValueRegistrar()` and calls `access(_:of:)` in its getters and
/// `set(_:of:to:read:write:)` in its setters. The deinitialization of the registrar signals that of
/// the object (P33), so it belongs to the outermost observable class.
///
/// It may be used from any thread (P38); the properties are as thread-safe as their class.
public struct KeyValueRegistrar: ~Copyable, Sendable {
  /// The retained `ObservationContext`, or 0 if the object has never been observed.
  @usableFromInline
  let word = Atomic<UInt>(0)

  /// Creates the registrar of an object without observers.
  @inlinable
  public init() {}

  deinit {
    guard let context = unmanagedContext else { return }
    context._withUnsafeGuaranteedRef { $0.subjectDeallocated() }
    context.release()
  }

  /// Whether a change of the object concerns anything but the object: it has been observed, or a
  /// transaction is open on some thread, which records what it changes (P50).
  ///
  /// If it does not, a setter only stores (P16).
  @inlinable
  public var isObserved: Bool {
    word.load(ordering: .relaxed) | kvo_transaction_count() != 0
  }

  /// Whether reads are being recorded on some thread.
  ///
  /// A getter that sees false is done (P16).
  @inlinable
  public static var isTracking: Bool {
    _slowPath(kvo_is_recording())
  }

  @inlinable
  var unmanagedContext: Unmanaged<ObservationContext>? {
    let bits = word.load(ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return Unmanaged.fromOpaque(pointer)
  }

  /// The context of the object, made if there is none.
  @inlinable
  var madeContext: Unmanaged<ObservationContext> { unmanagedContext ?? makeContext() }

  @usableFromInline
  func makeContext() -> Unmanaged<ObservationContext> {
    let made = Unmanaged.passRetained(ObservationContext())
    let bits = UInt(bitPattern: made.toOpaque())
    let (isOurs, winner) = word.compareExchange(
      expected: 0, desired: bits, ordering: .acquiringAndReleasing)
    if isOurs { return made }
    made.release()
    return Unmanaged<ObservationContext>.fromOpaque(UnsafeRawPointer(bitPattern: winner)!)
  }
}
