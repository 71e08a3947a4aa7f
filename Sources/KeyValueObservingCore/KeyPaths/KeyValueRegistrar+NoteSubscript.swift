extension KeyValueRegistrar {
  /// Notes by which key path typed key paths name an entry.
  ///
  /// A subscript that reads an entry as a value of a type of its own calls it in its getter where
  /// ``isTracking`` is true. A change of an entry at the end of a typed key path is then delivered without
  /// evaluating the path, if the entry has values of the same type as the subscript.
  ///
  /// - Parameters:
  ///   - key: The key of the entry.
  ///   - keyPath: The subscript with its argument.
  ///   - chained: The same behind an optional, `\Subject?.?[argument]`.
  ///   - read: Reads the subscript.
  package static func noteSubscript<Subject: KeyValueObservable, Value>(
    of key: String, at keyPath: @autoclosure () -> KeyPath<Subject, Value>,
    chained: @autoclosure () -> AnyKeyPath, read: @escaping (Subject) -> Value
  ) {
    guard let recorder = ReadRecorder.current, recorder.isOfTypedPath else { return }
    PropertyTable.of(Subject.self).subscripts.add(key, Value.self) {
      KeyPathProperty(
        entry: key, keyPath(), chained: chained(),
        accessor: KeyValueAccessor { read(unsafeDowncast($0, to: Subject.self)) })
    }
  }
}
