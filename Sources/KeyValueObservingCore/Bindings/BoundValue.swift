/// The operations on the values of one side of a binding, which are passed on by their addresses.
///
/// The closures are made where the type of the values is known, so that no value is put into an existential.
struct BoundValue: ~Copyable {
  /// Is called with the address of a value; with nil where there is none.
  typealias Body = (UnsafeRawPointer?) -> Void

  /// Reads the value of an object; there is none where an intermediate object is nil.
  let read: (AnyObject, Body) -> Void
  /// Sets a value of an object, which may refuse it; nil for a side that is never written.
  let write: ((AnyObject, UnsafeRawPointer) throws(KeyValueCodingError) -> Void)?
  /// Compares two values; nil if they cannot be compared.
  let isSame: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?
  /// Makes a value one of any type.
  let erase: (UnsafeRawPointer) -> Any

  /// Takes closures that know the type of the values.
  init<Value>(
    read: @escaping (AnyObject, Body) -> Void,
    write: ((AnyObject, Value) throws(KeyValueCodingError) -> Void)?,
    isSame: Comparison<Value>?
  ) {
    self.read = read
    // Not `map`: Swift 6.3 crashes where a closure with a typed error is made in another one.
    if let write {
      self.write = { (object, value) throws(KeyValueCodingError) in
        try write(object, value.assumingMemoryBound(to: Value.self).pointee)
      }
    } else {
      self.write = nil
    }
    self.isSame = isSame?.areSame
    erase = { $0.assumingMemoryBound(to: Value.self).pointee }
  }
}

/// Makes the values of one side of a binding values of the other.
struct BindingConversion {
  /// Converts the value at an address for the object that is about to be written, and passes on the address of
  /// the result; nil where the value cannot be converted.
  ///
  /// Nil where both sides have values of one type.
  private let convert: ((UnsafeRawPointer, AnyObject, BoundValue.Body) -> Void)?

  private init(_ convert: ((UnsafeRawPointer, AnyObject, BoundValue.Body) -> Void)?) {
    self.convert = convert
  }

  /// Passes values on as they are.
  static var identity: Self { Self(nil) }

  /// Converts a value for the object that is about to be written.
  static func converting<Value, Converted>(
    _ convert: @escaping (Value, AnyObject) -> Converted?
  ) -> Self {
    Self { value, target, body in
      guard let converted = convert(value.assumingMemoryBound(to: Value.self).pointee, target)
      else { return body(nil) }
      withUnsafePointer(to: converted) { body(UnsafeRawPointer($0)) }
    }
  }

  func callAsFunction(_ value: UnsafeRawPointer, for target: AnyObject, _ body: BoundValue.Body) {
    if let convert { convert(value, target, body) } else { body(value) }
  }
}
