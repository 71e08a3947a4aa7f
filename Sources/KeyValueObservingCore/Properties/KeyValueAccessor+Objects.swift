// A reference is stored and passed in the same way, of whatever class it is. So the accessors of
// properties that hold an object are not specialized: each class is a type of its own, and a module
// has as many as classes that refer to each other (row: build).
extension KeyValueAccessor {
  /// Creates the accessor of a property that holds an object.
  ///
  /// - Parameter read: Reads the property of an object that has it: `{ unsafeDowncast($0, to:
  ///   Team.self).coach }`.
  public convenience init<Object: AnyObject>(_ read: @escaping (AnyObject) -> Object) {
    // Such a function is called in the same way for every class.
    self.init(
      ofObject: unsafeBitCast(Reader(read: read), to: Reader<AnyObject>.self).read,
      mayHoldValue: isExistential(Object.self))
  }

  /// Creates the accessor of a property that holds an object or nothing.
  ///
  /// - Parameter read: Reads the property of an object that has it: `{ unsafeDowncast($0, to:
  ///   Team.self).captain }`.
  public convenience init<Object: AnyObject>(_ read: @escaping (AnyObject) -> Object?) {
    self.init(
      ofOptional: unsafeBitCast(
        OptionalReader(read: read), to: OptionalReader<AnyObject>.self
      ).read,
      mayHoldValue: isExistential(Object.self))
  }

  // An `AnyObject` may be a value in a box, even an optional one.

  private convenience init(ofObject read: @escaping (AnyObject) -> AnyObject, mayHoldValue: Bool) {
    let erase: (UnsafeRawPointer) -> Any? =
      mayHoldValue
      ? { flatten($0.assumingMemoryBound(to: AnyObject.self).pointee) }
      : { $0.assumingMemoryBound(to: AnyObject.self).pointee }
    self.init(ValueOperations(read: read, object: read, erase: erase))
  }

  private convenience init(
    ofOptional read: @escaping (AnyObject) -> AnyObject?, mayHoldValue: Bool
  ) {
    let erase: (UnsafeRawPointer) -> Any? =
      mayHoldValue
      ? { flatten($0.assumingMemoryBound(to: AnyObject?.self).pointee) }
      : { $0.assumingMemoryBound(to: AnyObject?.self).pointee.map { $0 } }
    self.init(ValueOperations(read: read, object: read, erase: erase))
  }
}

// Bare functions would be cast as values of any type are, by way of two more functions
// (row: top link replaced).
private struct Reader<Object: AnyObject> {
  let read: (AnyObject) -> Object
}

private struct OptionalReader<Object: AnyObject> {
  let read: (AnyObject) -> Object?
}
