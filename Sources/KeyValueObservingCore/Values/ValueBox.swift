/// A value kept on the heap, for a change that cannot be delivered while its setter runs.
@usableFromInline
class AnyValueBox {
  @usableFromInline
  init() {}

  /// Whether the value holds no object, as far as its type shows.
  @usableFromInline
  var holdsNoObject: Bool { false }

  /// Calls `body` with the address of the value.
  @usableFromInline
  func withAddress(_ body: (UnsafeRawPointer) -> Void) {
    Trap.invariantViolation("a value is kept in a box without a type").stop()
  }
}

@usableFromInline
final class ValueBox<Value>: AnyValueBox {
  @usableFromInline
  let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }

  @usableFromInline
  override var holdsNoObject: Bool { KeyValueObservingCore.holdsNoObject(value) }

  @usableFromInline
  override func withAddress(_ body: (UnsafeRawPointer) -> Void) {
    withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
  }
}

/// Calls `body` with the address of the value in `box`, or with nil where there is no box.
func withAddress(of box: AnyValueBox?, _ body: (UnsafeRawPointer?) -> Void) {
  if let box {
    box.withAddress(body)
  } else {
    body(nil)
  }
}
