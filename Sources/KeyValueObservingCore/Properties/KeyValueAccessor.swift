/// How the values of a property are read, kept, passed on and changed in place.
///
/// A ``KeyValueProperty`` that is given one reads the property through it, which takes a tenth of the
/// time of reading it through its key path: every link of a path is read that way when one before it
/// is replaced. And what is inserted into a collection through a proxy does not copy it.
// Closures that are made where the type of the property is known: an overridden method of a generic
// class looks for metadata whenever it is called, which takes longer than a delivery. They are
// specialised in the module of the class that lists the property, once for each type of value.
public final class KeyValueAccessor {
  @usableFromInline
  typealias Body = (UnsafeRawPointer) -> Void

  /// Calls a closure with the address of the property's value.
  @usableFromInline
  let withValue: (AnyObject, Body) -> Void
  /// Reads the object in the property. Only for properties that hold one (`holdsObject`).
  @usableFromInline
  let object: (AnyObject) -> AnyObject?
  /// Keeps the value at an address.
  @usableFromInline
  let box: (UnsafeRawPointer) -> AnyValueBox
  /// Keeps it as an optional.
  @usableFromInline
  let boxOptional: (UnsafeRawPointer) -> AnyValueBox
  /// An optional of the type without a value.
  @usableFromInline
  let none: () -> AnyValueBox
  /// Calls a closure with the address of an optional that holds the value at an address.
  @usableFromInline
  let wrap: (UnsafeRawPointer, Body) -> Void
  /// Makes the value at an address an `Any?` that is never doubly wrapped.
  @usableFromInline
  let erase: (UnsafeRawPointer) -> Any?

  /// Calls a closure with the address of the property, to change it in place; nil for most.
  @usableFromInline
  let modify: ((AnyObject, (UnsafeMutableRawPointer) -> Void) -> Void)?

  /// Creates the accessor of a property.
  ///
  /// - Parameters:
  ///   - read: Reads the property of an object that has it: `{ unsafeDowncast($0, to:
  ///     Team.self).members }`.
  ///   - modify: Hands the property of such an object to a closure that changes it: `{
  ///     $1(&unsafeDowncast($0, to: Team.self).members) }`. It is needed for collections only.
  // Out of line, so that one copy serves all properties of a type (row: build).
  @inlinable
  @inline(never)
  public init<Value>(
    _ read: @escaping (AnyObject) -> Value,
    modify: ((AnyObject, (inout Value) -> Void) -> Void)? = nil
  ) {
    self.modify = modify.map { modify in
      { subject, body in
        modify(subject) { value in withUnsafeMutablePointer(to: &value) { body($0) } }
      }
    }
    withValue = { subject, body in
      withUnsafePointer(to: read(subject)) { body(UnsafeRawPointer($0)) }
    }
    object = { subject in
      let value = read(subject)
      guard MemoryLayout<Value>.size == MemoryLayout<AnyObject?>.size else { return nil }
      return unsafeBitCast(value, to: AnyObject?.self)
    }
    box = { ValueBox($0.assumingMemoryBound(to: Value.self).pointee) }
    boxOptional = { ValueBox<Value?>($0.assumingMemoryBound(to: Value.self).pointee) }
    none = { ValueBox<Value?>(nil) }
    wrap = { address, body in
      let optional: Value? = address.assumingMemoryBound(to: Value.self).pointee
      withUnsafePointer(to: optional) { body(UnsafeRawPointer($0)) }
    }
    // The optimizer knows the outcome of these casts. Without them it would have to be found anew
    // for each value.
    erase =
      switch OptionalLayers(of: Value.self) {
      case .none: { $0.assumingMemoryBound(to: Value.self).pointee }
      case .one:
        {
          let value = $0.assumingMemoryBound(to: Value.self).pointee
          return (value as? any OptionalValue)?.payload
        }
      case .unknown: { flatten($0.assumingMemoryBound(to: Value.self).pointee) }
      }
  }
}

/// How many optional layers are around the values of a type.
@usableFromInline
enum OptionalLayers {
  case none, one
  /// Several, or an existential, which may hold an optional.
  case unknown

  @usableFromInline
  init(of type: Any.Type) {
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType
    if isExistential(wrapped ?? type) || wrapped is any OptionalValue.Type {
      self = .unknown
    } else {
      self = wrapped == nil ? .none : .one
    }
  }
}
