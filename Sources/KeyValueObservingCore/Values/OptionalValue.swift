/// Requirements on an `Optional` whose type the engine does not know.
@usableFromInline
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  /// The value without its optional layers, nil where there is none.
  var flattened: Any? { get }
  /// The value without one optional layer.
  var payload: Any? { get }
  static var none: Self { get }
  /// The key path of the `!` behind an optional link.
  static var unwrapping: AnyKeyPath { get }
}

extension Optional: OptionalValue {
  @usableFromInline
  static var wrappedType: Any.Type { Wrapped.self }

  @usableFromInline
  var flattened: Any? {
    switch self {
    case .none: nil
    case .some(let value): flatten(value)
    }
  }

  @usableFromInline
  static var unwrapping: AnyKeyPath { \Optional<Wrapped>.self! }

  @inlinable
  var payload: Any? {
    switch self {
    case .none: nil
    case .some(let value): value
    }
  }
}

/// `value` as an `Any?` that is never doubly wrapped.
@usableFromInline
package func flatten<Value>(_ value: Value) -> Any? {
  if let optional = value as? any OptionalValue {
    return optional.flattened
  }
  return value
}

// A cast would look for a conformance, which takes longer than a delivery (row: string key), and a copy to
// ask for its type takes a part of that (row: GObject, 1 observer).
/// The same for a value that is erased already, and seldom an optional in itself.
@usableFromInline
func flattenErased(at place: UnsafePointer<Any?>) -> Any? {
  RuntimeLayout.kindOfValue(in: place) == RuntimeLayout.Kind.optional
    ? place.pointee.flatMap { flatten($0) } : RuntimeLayout.copy(of: place)
}

/// The type behind the optional layers of `type`.
package func unwrappedType(_ type: Any.Type) -> Any.Type {
  var type = type
  // A cast would look for a conformance of every other type (row: path into a struct, register + end).
  while RuntimeLayout.kind(of: type) == RuntimeLayout.Kind.optional,
    let optional = type as? any OptionalValue.Type
  {
    type = optional.wrappedType
  }
  return type
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

/// Whether a value of the type may be of many types.
func isExistential(_ type: Any.Type) -> Bool {
  // The language has no query for it.
  let kind = RuntimeLayout.kind(of: type)
  return kind == RuntimeLayout.Kind.existential || kind == RuntimeLayout.Kind.extendedExistential
}

/// Whether a value of the type is an object of one of many classes.
///
/// A composition of more than two protocols is not distinguished from an existential for values.
func isObjectExistential(_ type: Any.Type) -> Bool {
  func size<Value>(of _: Value.Type) -> Int { MemoryLayout<Value>.size }
  // One for values has room for three words besides their type, one for objects for the object.
  return isExistential(type) && _openExistential(type, do: size) < MemoryLayout<Any>.size
}

/// Calls `body` with the address of a value, or with nil where there is none.
@inlinable
func withAddress<Value>(of value: Value?, _ body: (UnsafeRawPointer?) -> Void) {
  if let value {
    withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
  } else {
    body(nil)
  }
}
