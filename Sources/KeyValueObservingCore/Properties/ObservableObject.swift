/// A value as an observable object, nil if it is none.
func observableObject(_ value: Any?) -> (any KeyValueObservable)? {
  // A value that is no object would be made one for the cast to look at, an array with a wrapper
  // around each element.
  guard let value, type(of: value) is AnyClass else { return nil }
  return value as? any KeyValueObservable
    ?? PropertyTable.knownType(type(of: value)).map { object(reference(in: value), of: $0) }
}

/// An object as an observable object, nil if it is none.
///
/// One of a class that has a table already is found by that, which takes a tenth of the time of a cast (row: sets
/// in a transaction, rolled back).
func observableObject(_ value: AnyObject) -> (any KeyValueObservable)? {
  PropertyTable.knownType(type(of: value)).map { object(value, of: $0) }
    ?? value as? any KeyValueObservable
}

// Out of line, where nothing is known of the value: `is`, and casts of what is known to be an object,
// do not look at the isolation (Swift 6.3).
/// Whether an object is to be observed on an actor only, and this is not the place: its conformance is
/// isolated, so that no cast finds it here.
@inline(never)
func isOffItsActor(_ object: Any) -> Bool { (object as? any KeyValueObservable) == nil }

private func object<Object: KeyValueObservable>(
  _ value: AnyObject, of _: Object.Type
) -> any KeyValueObservable {
  unsafeDowncast(value, to: Object.self)
}

/// A type as that of observable objects, nil if it is none.
func observableType(_ type: Any.Type) -> (any KeyValueObservable.Type)? {
  // A cast would look through all conformances (row: path into a struct, register + end).
  switch RuntimeLayout.kind(of: type) {
  case RuntimeLayout.Kind.structure, RuntimeLayout.Kind.enumeration: nil
  default: type as? any KeyValueObservable.Type ?? PropertyTable.knownType(type)
  }
}

/// An object that is known to be one.
func reference(in value: Any) -> AnyObject {
  func reference<Object>(to object: Object) -> AnyObject {
    // A cast asks at run time how the value could be made an object. Only an existential, which is
    // the object and more, needs one.
    MemoryLayout<Object>.size == MemoryLayout<AnyObject>.size
      ? unsafeBitCast(object, to: AnyObject.self) : object as AnyObject
  }
  return reference(to: value)
}
