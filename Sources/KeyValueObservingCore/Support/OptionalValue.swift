/// What the engine asks of an `Optional` whose type it does not know.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  /// The value without its optional layers, nil where there is none.
  var flattened: Any? { get }
  static var none: Self { get }
  /// Calls `body` with the address of an optional that holds the wrapped value at `address`.
  static func withWrapped(_ address: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void)
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }

  var flattened: Any? {
    switch self {
    case .none: nil
    case .some(let value): flatten(value)
    }
  }

  static func withWrapped(_ address: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) {
    let optional = Optional(address.assumingMemoryBound(to: Wrapped.self).pointee)
    withUnsafePointer(to: optional) { body(UnsafeRawPointer($0)) }
  }
}

/// `value` as an `Any?` that is never doubly wrapped.
func flatten<Value>(_ value: Value) -> Any? {
  if let optional = value as? any OptionalValue {
    return optional.flattened
  }
  return value
}

/// The type behind the optional layers of `type`.
func unwrappedType(_ type: Any.Type) -> Any.Type {
  var type = type
  while let optional = type as? any OptionalValue.Type {
    type = optional.wrappedType
  }
  return type
}
