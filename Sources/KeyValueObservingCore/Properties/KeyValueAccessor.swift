// Closures that are made where the type of the property is known: an overridden method of a generic
// class looks for metadata whenever it is called, which takes longer than a delivery. They are
// specialized in the module of the class that lists the property, once for each type of value.
/// Reads, stores, passes on and mutates the values of a property.
///
/// With an accessor, a ``KeyValueProperty`` is read in a tenth of the time that its key path takes.
/// All properties of a key path are read that way when one of its intermediate objects is replaced.
/// A collection is also mutated through a proxy without a copy.
public final class KeyValueAccessor {
  @usableFromInline
  typealias Body = (UnsafeRawPointer) -> Void

  @usableFromInline
  let operations: ValueOperations

  /// Changes the property in place; nil for most.
  @usableFromInline
  let modify: InPlaceAccess?

  // A structure, because an optional closure is wrapped anew whenever it is called (row: edit by proxy).
  /// Calls a closure with the address of the property of an object.
  @usableFromInline
  struct InPlaceAccess {
    @usableFromInline
    let call: (AnyObject, (UnsafeMutableRawPointer) -> Void) -> Void

    @inlinable
    init(_ call: @escaping (AnyObject, (UnsafeMutableRawPointer) -> Void) -> Void) {
      self.call = call
    }
  }

  init(_ operations: consuming ValueOperations) {
    self.operations = operations
    modify = nil
  }

  // Out of line, so that one copy serves all properties of a type, and one in the library those of the types that
  // most have (row: build). None for Double: closures of the two would be one for LLVM, and those of Int only call
  // that (row: path, last key set).
  /// Creates the accessor of a property that is not mutated through proxies.
  ///
  /// - Parameter read: Reads the property of an object that has it: `{ unsafeDowncast($0, to:
  ///   Team.self).name }`.
  @inlinable
  @inline(never)
  @_specialize(exported:true,where Value == Bool)
  @_specialize(exported:true,where Value == Int)
  @_specialize(exported:true,where Value == String)
  @_specialize(exported:true,where Value == String?)
  public init<Value>(_ read: @escaping (AnyObject) -> Value) {
    modify = nil
    operations = ValueOperations(read: read)
  }

  /// Creates the accessor of a collection.
  ///
  /// - Parameters:
  ///   - read: Reads the property of an object that has it: `{ unsafeDowncast($0, to:
  ///     Team.self).members }`.
  ///   - modify: Hands the property of such an object to a closure that changes it: `{
  ///     $1(&unsafeDowncast($0, to: Team.self).members) }`.
  @inlinable
  @inline(never)
  public init<Value>(
    _ read: @escaping (AnyObject) -> Value,
    modify: @escaping (AnyObject, (inout Value) -> Void) -> Void
  ) {
    self.modify = InPlaceAccess { subject, body in
      modify(subject) { value in withUnsafeMutablePointer(to: &value) { body($0) } }
    }
    operations = ValueOperations(read: read)
  }
}

extension ValueOperations {
  /// The operations on values that are read by a closure.
  @inlinable
  @inline(never)
  init<Value>(read: @escaping (AnyObject) -> Value) {
    // The optimizer knows the outcome of these casts. Without them it would have to be found anew
    // for each value.
    let erase: (UnsafeRawPointer) -> Any? =
      switch OptionalLayers(of: Value.self) {
      case .none: { $0.assumingMemoryBound(to: Value.self).pointee }
      case .one:
        {
          let value = $0.assumingMemoryBound(to: Value.self).pointee
          return (value as? any OptionalValue)?.payload
        }
      case .unknown where Value.self == Any?.self:
        { flattenErased(at: $0.assumingMemoryBound(to: Any?.self)) }
      case .unknown: { flatten($0.assumingMemoryBound(to: Value.self).pointee) }
      }
    self.init(
      read: read,
      object: { subject in
        let value = read(subject)
        guard MemoryLayout<Value>.size == MemoryLayout<AnyObject?>.size else { return nil }
        return unsafeBitCast(value, to: AnyObject?.self)
      },
      erase: erase)
  }
}

// Noncopyable, so that the closures are called without being retained: by functions of this structure, because one
// that is read from outside is retained for the call (row: top link replaced).
/// Operations on the values of a property, by closures that know their type.
@usableFromInline
struct ValueOperations: ~Copyable {
  @usableFromInline
  typealias Body = KeyValueAccessor.Body
  @usableFromInline
  typealias PairBody = (UnsafeRawPointer?, UnsafeRawPointer?) -> Void
  /// Takes the addresses of an old and a new value.
  @usableFromInline
  typealias ChangeBody = (UnsafeRawPointer?, UnsafeRawPointer?, Edit?) -> Void

  private let readValue: (AnyObject, Body) -> Void
  private let readObject: (AnyObject) -> AnyObject?
  private let boxValue: (AnyObject, consuming AnyValueBox?) -> AnyValueBox
  private let boxOptionalValue: (AnyObject) -> AnyValueBox
  private let keep: (UnsafeRawPointer) -> AnyValueBox
  private let makeNone: () -> AnyValueBox
  private let wrapValues: (UnsafeRawPointer?, UnsafeRawPointer?, PairBody) -> Void
  private let eraseValue: (UnsafeRawPointer) -> Any?
  private let makeChange: (UnsafeRawPointer?, UnsafeRawPointer?, Unmanaged<Edit>?, Body) -> Void
  private let readChange: (UnsafeRawPointer, ChangeBody) -> Void

  @usableFromInline
  init(
    withValue: @escaping (AnyObject, Body) -> Void, object: @escaping (AnyObject) -> AnyObject?,
    boxValue: @escaping (AnyObject, consuming AnyValueBox?) -> AnyValueBox,
    boxOptional: @escaping (AnyObject) -> AnyValueBox,
    box: @escaping (UnsafeRawPointer) -> AnyValueBox,
    none: @escaping () -> AnyValueBox,
    wrap: @escaping (UnsafeRawPointer?, UnsafeRawPointer?, PairBody) -> Void,
    erase: @escaping (UnsafeRawPointer) -> Any?,
    makeChange: @escaping (UnsafeRawPointer?, UnsafeRawPointer?, Unmanaged<Edit>?, Body) -> Void,
    readChange: @escaping (UnsafeRawPointer, ChangeBody) -> Void
  ) {
    readValue = withValue
    readObject = object
    self.boxValue = boxValue
    boxOptionalValue = boxOptional
    keep = box
    makeNone = none
    wrapValues = wrap
    eraseValue = erase
    self.makeChange = makeChange
    self.readChange = readChange
  }

  /// Makes all that follows from how a value is read.
  @inlinable
  @inline(__always)
  init<Value>(
    read: @escaping (AnyObject) -> Value, object: @escaping (AnyObject) -> AnyObject?,
    erase: @escaping (UnsafeRawPointer) -> Any?
  ) {
    self.init(
      withValue: { subject, body in
        withUnsafePointer(to: read(subject)) { body(UnsafeRawPointer($0)) }
      },
      object: object,
      boxValue: { ValueBox.keeping(read($0), in: $1) },
      boxOptional: { ValueBox<Value?>(read($0)) },
      box: { ValueBox($0.assumingMemoryBound(to: Value.self).pointee) },
      none: { ValueBox<Value?>(nil) },
      wrap: { old, new, body in
        withOptional(old?.assumingMemoryBound(to: Value.self)) { old in
          withOptional(new?.assumingMemoryBound(to: Value.self)) { new in body(old, new) }
        }
      },
      erase: erase,
      makeChange: { old, new, edit, body in
        let change = KeyValueChange(
          settingTo: new?.assumingMemoryBound(to: Value.self).pointee,
          from: old?.assumingMemoryBound(to: Value.self).pointee, edit: edit)
        withUnsafePointer(to: change) { body(UnsafeRawPointer($0)) }
      },
      readChange: { change, body in
        let change = change.assumingMemoryBound(to: KeyValueChange<Value>.self)
        withAddress(of: change.pointee.oldValue) { old in
          withAddress(of: change.pointee.newValue) { new in
            body(old, new, change.pointee.edit)
          }
        }
      })
  }

  /// Calls a closure with the address of the property's value.
  @usableFromInline
  borrowing func withValue(of subject: AnyObject, _ body: Body) { readValue(subject, body) }

  /// Reads the object in the property.
  ///
  /// Only for properties that hold one (`holdsObject`).
  borrowing func object(in subject: AnyObject) -> AnyObject? { readObject(subject) }

  /// Keeps the property's value, in a box that is used again if there is one (`ValueBox.keeping(_:in:)`).
  borrowing func box(
    of subject: AnyObject, in used: consuming AnyValueBox? = nil
  ) -> AnyValueBox {
    boxValue(subject, used)
  }

  /// Keeps it as an optional.
  borrowing func optionalBox(of subject: AnyObject) -> AnyValueBox { boxOptionalValue(subject) }

  /// Keeps the value at an address.
  borrowing func box(_ address: UnsafeRawPointer) -> AnyValueBox { keep(address) }

  /// An optional of the type without a value.
  borrowing func none() -> AnyValueBox { makeNone() }

  /// Calls a closure with the addresses of optionals that hold the values at two addresses.
  borrowing func wrap(
    _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ body: PairBody
  ) {
    wrapValues(old, new, body)
  }

  /// Calls a closure with the address of a change of the values at two addresses.
  borrowing func withChange(
    from old: UnsafeRawPointer?, to new: UnsafeRawPointer?, _ edit: Unmanaged<Edit>?, _ body: Body
  ) {
    makeChange(old, new, edit, body)
  }

  /// Calls a closure with the addresses of the values of a change.
  borrowing func withValues(of change: UnsafeRawPointer, _ body: ChangeBody) {
    readChange(change, body)
  }

  /// Makes the value at an address an `Any?` that is never doubly wrapped.
  borrowing func erase(_ address: UnsafeRawPointer) -> Any? { eraseValue(address) }
}

/// Calls `body` with the address of an optional that holds the value at a place, or with nil where
/// there is none.
@inlinable
@inline(__always)
func withOptional<Value>(
  _ place: UnsafePointer<Value>?, _ body: (UnsafeRawPointer?) -> Void
) {
  guard let place else { return body(nil) }
  let optional: Value? = place.pointee
  withUnsafePointer(to: optional) { body(UnsafeRawPointer($0)) }
}
