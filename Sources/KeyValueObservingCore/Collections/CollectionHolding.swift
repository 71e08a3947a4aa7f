/// How the value of a property holds a collection.
struct CollectionHolding<Value, Held> {
  /// The collection, an empty one where there is none.
  let collection: (Value) -> Held
  /// Mutates the collection in place, after creating one if there is none.
  let modify: (inout Value, (inout Held) -> Void) -> Void
  /// A value that holds a collection.
  let value: (Held) -> Value
}

extension CollectionHolding where Value == Held {
  /// The value is the collection.
  static var itself: Self { Self(collection: { $0 }, modify: { $1(&$0) }, value: { $0 }) }
}

extension CollectionHolding where Value == Held? {
  /// The value is an optional collection, and nil stands for an empty one (P35).
  static func optional(empty: Held) -> Self {
    Self(
      collection: { $0 ?? empty },
      modify: { value, body in
        var held = value ?? empty
        // Two references would make the change copy the collection.
        value = nil
        body(&held)
        value = held
      }, value: { $0 })
  }
}

extension CollectionHolding where Value == Any? {
  /// The value may be anything, and nil stands for an empty collection (P35).
  static func anything(empty: Held) -> Self {
    let collection = { (value: Any?) in value.flatMap { flatten($0) as? Held } ?? empty }
    return Self(
      collection: collection,
      modify: { value, body in
        var held = collection(value)
        value = nil
        body(&held)
        value = held
      }, value: { $0 })
  }
}
