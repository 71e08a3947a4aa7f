/// A nil of an optional type that only its property knows.
final class NilBox: AnyValueBox {
  private let property: KeyValueProperty

  init(of property: KeyValueProperty) {
    self.property = property
  }

  override var holdsNoObject: Bool { true }

  override func withAddress(_ body: (UnsafeRawPointer) -> Void) {
    property.withNil(body)
  }
}
