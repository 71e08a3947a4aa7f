/// A value as an observable object, nil if it is none.
func observableObject(_ value: Any?) -> (any KeyValueObservable)? {
  // A value that is no object would be made one for the cast to look at, an array with a wrapper
  // around each element.
  guard let value, type(of: value) is AnyClass else { return nil }
  return value as? any KeyValueObservable
}

/// An object that is known to be one.
func reference(in value: Any) -> AnyObject {
  func reinterpret<Object>(_ object: Object) -> AnyObject {
    // A cast asks at run time how the value could be made an object. It is needed where the value is
    // an `Any` in an `Any`, as it comes from generic code that was called for `Any`.
    MemoryLayout<Object>.size == MemoryLayout<AnyObject>.size
      ? unsafeBitCast(object, to: AnyObject.self) : object as AnyObject
  }
  return reinterpret(value)
}
