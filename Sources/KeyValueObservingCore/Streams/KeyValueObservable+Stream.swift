// How a stream registers: on the thread of each change, with one registration for its elements and for
// its end.

extension KeyValueObservable {
  // Specialized for the type of the values, since otherwise each event looks up their metadata several
  // times, which takes longer than the rest (rows: rx.observe, publisher).
  /// Observes a key path for a stream.
  ///
  /// - `send`: Receives each change.
  /// - `complete`: Is called once, when the object is deallocated (P33).
  @inlinable
  package func stream<Value>(
    of keyPath: KeyPath<Self, Value>, options: KeyValueObservation.Options,
    send: @escaping (Self, KeyValueChange<Value>) -> Void, complete: @escaping () -> Void
  ) -> KeyValueObservation {
    register(
      ObserverPipeline(send, options: options, subjectDeallocated: complete), at: keyPath,
      isolation: nil)
  }

  /// Observes a key path given as a string for a stream, as with a typed one.
  @usableFromInline
  package func stream(
    of keyPath: String, options: KeyValueObservation.Options,
    send: @escaping (Self, KeyValueChange<Any?>) -> Void, complete: @escaping () -> Void
  ) throws(KeyValueCodingError) -> KeyValueObservation {
    let path = try StringPath(keyPath, from: self)
    return register(
      ObserverPipeline(send, options: options, subjectDeallocated: complete), at: path,
      isolation: nil)
  }

  /// The key path of a key whose values are of a type.
  ///
  /// Nil for another type, and for a longer path.
  @usableFromInline
  package func keyPath<Value>(forKey key: String, as _: Value.Type) -> KeyPath<Self, Value>? {
    guard let property = keyValueProperty(forKey: key), !property.isPrivate else { return nil }
    return property.keyPath as? KeyPath<Self, Value>
  }
}
