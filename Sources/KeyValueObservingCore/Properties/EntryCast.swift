// An object, so that a leaf takes one word (row: last key set).
/// Makes the value of an entry, which is an `Any?`, one of the type of the typed key path that ends in it.
final class EntryCast {
  private let withOptionals: (UnsafeRawPointer?, UnsafeRawPointer?, Body) -> Void

  typealias Body = (UnsafeRawPointer?, UnsafeRawPointer?) -> Void

  /// Returns nil unless values of the entry are of the type, which is an optional, or nil: what else a
  /// subscript makes of them, only the subscript knows.
  init?(from entry: KeyValueProperty, to type: Any.Type) {
    guard let content = (type as? any OptionalValue.Type)?.wrappedType,
      content == unwrappedType(entry.declaredType), entry.declaredType != entry.valueType
    else { return nil }
    func make<Content>(_: Content.Type) -> (UnsafeRawPointer?, UnsafeRawPointer?, Body) -> Void {
      { old, new, body in
        withContent(at: old, as: Content.self) { old in
          withContent(at: new, as: Content.self) { new in body(old, new) }
        }
      }
    }
    withOptionals = _openExistential(content, do: make)
  }

  /// Calls `body` with the addresses of optionals that hold the values of the entry at two addresses.
  func callAsFunction(_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ body: Body) {
    withOptionals(old, new, body)
  }
}

private func withContent<Content>(
  at address: UnsafeRawPointer?, as _: Content.Type, _ body: (UnsafeRawPointer?) -> Void
) {
  guard let erased = address?.assumingMemoryBound(to: Any?.self) else { return body(nil) }
  // Most values are of that type, and a cast takes longer.
  let optional =
    RuntimeLayout.typeOfValue(in: erased) == Content.self
    ? RuntimeLayout.value(in: erased, as: Content.self)
    : erased.pointee.flatMap { $0 as? Content }
  withUnsafePointer(to: optional) { body(UnsafeRawPointer($0)) }
}
