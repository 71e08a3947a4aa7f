internal import CKeyValueObserving

/// How the Swift runtime lays out what the language gives no other access to.
///
/// All that the engine assumes about it stands here, is stable in the ABI of Apple's platforms, and holds
/// for the toolchains with which `RuntimeLayoutTests` pass: Swift 6.3. Besides the functions below:
///
/// - A closure is two words, its function and its retained context. It takes a reference to an object of any
///   class in the same way, so a closure can be kept as one of another class (`AnyHandler`, `Handler`,
///   `KeyValueAccessor.ofObject`). A parameter whose layout depends on a parameter of the type that declares the
///   closure is passed by its address (`AddressHandler`).
/// - `swift_tryRetain` returns null for an object whose deinitialization has begun, and
///   `swift_isDeallocating` finds that out without retaining it (`kvo_try_retain`, `kvo_is_deallocating`).
/// - `swift_task_isCurrentExecutorWithFlags` without flags answers and does not trap
///   (`kvo_is_current_executor`), and `swift_task_getCurrent` returns null outside of tasks
///   (`kvo_current_task`).
enum RuntimeLayout {
  /// The kinds of types on which the engine decides: the first word of a type's metadata, if the type is no
  /// class.
  enum Kind {
    static var structure: UInt { 0x200 }
    static var enumeration: UInt { 0x201 }
    static var optional: UInt { 0x202 }
    static var existential: UInt { 0x303 }
    /// That of an existential with arguments, as `any Sequence<Int>`.
    static var extendedExistential: UInt { 0x307 }
  }

  @inline(__always)
  static func kind(of type: Any.Type) -> UInt {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
  }

  /// The kind of the type of the value in an `Any?`, nil if there is none.
  ///
  /// An `Any` is three words for the value and the address of its type's metadata, which is 0 in an
  /// optional without a value.
  @inline(__always)
  static func kindOfValue(in place: UnsafePointer<Any?>) -> UInt? {
    typeWord(at: place).load(as: UnsafePointer<UInt>?.self)?.pointee
  }

  /// The type of the value in an `Any?`, nil if there is none.
  @inline(__always)
  static func typeOfValue(in place: UnsafePointer<Any?>) -> Any.Type? {
    typeWord(at: place).load(as: UnsafeRawPointer?.self)
      .map { unsafeBitCast($0, to: Any.Type.self) }
  }

  @inline(__always)
  private static func typeWord(at place: UnsafeRawPointer) -> UnsafeRawPointer {
    place + 3 * MemoryLayout<UInt>.size
  }

  /// The two words of an executor: its identity, and how it is implemented.
  static func words(of executor: UnownedSerialExecutor) -> kvo_executor {
    unsafeBitCast(executor, to: kvo_executor.self)
  }
}

// MARK: Optionals of `Any`

// They have the layout of the `Any` in them. As optionals they are copied and destroyed by way of their types'
// metadata, which takes four times as long, and several of them longer than a delivery (rows: dictionary, string
// key, string path).
extension RuntimeLayout {
  /// A copy of a value.
  @inline(__always)
  static func copy(of place: UnsafePointer<Any?>) -> Any? {
    typeOfValue(in: place) == nil
      ? nil : UnsafeRawPointer(place).assumingMemoryBound(to: Any.self).pointee
  }

  /// A copy of an optional of a value.
  @inline(__always)
  static func copy(ofOptional value: borrowing Any??) -> Any?? {
    withUnsafePointer(to: value) { place in
      switch typeWord(at: place).load(as: UInt.self) {
      case 0: .some(nil)
      case 1: .none
      default: UnsafeRawPointer(place).assumingMemoryBound(to: Any.self).pointee
      }
    }
  }

  /// A value, whose type has been found to be `Value` (`typeOfValue(in:)`).
  ///
  /// A cast takes four times as long.
  @inline(__always)
  static func value<Value>(in place: UnsafePointer<Any?>, as _: Value.Type) -> Value {
    func same<Content>(_ value: Content) -> Value { unsafeBitCast(value, to: Value.self) }
    return _openExistential(
      UnsafeRawPointer(place).assumingMemoryBound(to: Any.self).pointee, do: same)
  }

  /// Initializes memory to a value, or to nil where there is none.
  @inline(__always)
  static func initialize(_ place: UnsafeMutablePointer<Any?>, to value: consuming Any??) {
    let nested = UnsafeMutableRawPointer(place).initializeMemory(as: Any??.self, to: value)
    if !holdsValue(nested) { place.initialize(to: nil) }
  }

  /// Whether the `Any` in a value is an optional.
  @inline(__always)
  static func isOptional(_ value: borrowing Any??) -> Bool {
    withUnsafePointer(to: value) { place in
      holdsValue(place)
        && typeWord(at: place).load(as: UnsafePointer<UInt>.self).pointee == Kind.optional
    }
  }

  /// Initializes memory to a value that is present, though it may be nil.
  @inline(__always)
  static func initialize(_ place: UnsafeMutablePointer<Any??>, to value: consuming Any?) {
    UnsafeMutableRawPointer(place).initializeMemory(as: Any?.self, to: value)
  }

  /// Initializes memory to a value that stays where it is, and must not be destroyed in this memory.
  @inline(__always)
  static func copyBits(of value: UnsafePointer<Any?>, to place: UnsafeMutablePointer<Any??>) {
    UnsafeMutableRawPointer(place).copyMemory(from: value, byteCount: MemoryLayout<Any?>.size)
  }

  /// Destroys a value, and leaves its memory as it was.
  @inline(__always)
  static func destroy(_ place: UnsafeMutablePointer<Any??>) {
    if holdsValue(place) {
      UnsafeMutableRawPointer(place).assumingMemoryBound(to: Any.self).deinitialize(count: 1)
    }
  }

  /// Calls `body` with memory that it initializes, and destroys the value afterwards.
  @inline(__always)
  static func withMemory(_ body: (UnsafeMutablePointer<Any?>) -> Void) {
    withUnsafeTemporaryAllocation(of: Any?.self, capacity: 1) { memory in
      let place = memory.baseAddress.unsafelyUnwrapped
      body(place)
      destroy(UnsafeMutableRawPointer(place).assumingMemoryBound(to: Any??.self))
    }
  }

  /// Whether there is a value: numbers too small for an address of metadata are nil and nothing.
  @inline(__always)
  static func holdsValue(_ place: UnsafePointer<Any??>) -> Bool {
    typeWord(at: place).load(as: UInt.self) > 1
  }
}
