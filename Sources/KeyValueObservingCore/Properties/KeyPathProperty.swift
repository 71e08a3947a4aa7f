/// A property that is read and written through its key path.
final class KeyPathProperty<Subject: KeyValueObservable, Value>: KeyValueProperty,
  @unchecked Sendable
{
  private let path: KeyPath<Subject, Value>
  private let writablePath: ReferenceWritableKeyPath<Subject, Value>?
  private let chained: AnyKeyPath?
  private let isOfEntry: Bool
  override var isOfMacro: Bool { isMadeByMacro }
  private let isMadeByMacro: Bool
  override var arrayEditedInPlace: (any ArrayEditedInPlace.Type)? { array }
  private let array: (any ArrayEditedInPlace.Type)?

  /// - `isOfMacro`: Whether nothing but accessors of the macro changes the property.
  init(
    _ key: StaticString, _ path: KeyPath<Subject, Value>, chained: AnyKeyPath?, kind: Kind,
    isReadOnly: Bool, isPrivate: Bool, dependsOn: [String], accessor: KeyValueAccessor?,
    isOfMacro: Bool = false
  ) {
    self.path = path
    self.chained = chained
    isOfEntry = false
    isMadeByMacro = isOfMacro
    let isEditedInPlace = isOfMacro && accessor?.modify != nil
    array = isEditedInPlace ? Value.self as? any ArrayEditedInPlace.Type : nil
    writablePath = isReadOnly ? nil : path as? ReferenceWritableKeyPath<Subject, Value>
    super.init(
      name: KeyName(key), kind: kind, valueType: Value.self, isPrivate: isPrivate,
      dependsOn: dependsOn,
      accessor: accessor ?? KeyValueAccessor { unsafeDowncast($0, to: Subject.self)[keyPath: path] }
    )
  }

  /// The property that a subscript is that reads an entry as a type of its own.
  init(
    entry key: String, _ path: KeyPath<Subject, Value>, chained: AnyKeyPath,
    accessor: KeyValueAccessor
  ) {
    self.path = path
    self.chained = chained
    isOfEntry = true
    isMadeByMacro = false
    array = nil
    writablePath = nil
    super.init(
      name: KeyName.interned(key), kind: .stored, valueType: Value.self, isPrivate: false,
      dependsOn: [], accessor: accessor)
  }

  override var keyPath: AnyKeyPath? { path }
  override var chainedKeyPath: AnyKeyPath? { chained }
  override var isSubscript: Bool { isOfEntry }
  override var isReadOnly: Bool { writablePath == nil }

  override func setValue(_ value: Any?, of subject: AnyObject) throws(KeyValueCodingError) {
    guard let writablePath else {
      throw .readOnly(type: Swift.type(of: subject), key: key)
    }
    let converted: Value = try convert(value, forKey: key, of: subject)
    write(converted, at: writablePath, of: subject)
  }

  /// Writing at a key path reads there first.
  ///
  /// That is no input of a getter that writes (P21).
  private func write<Stored>(
    _ value: Stored, at path: ReferenceWritableKeyPath<Subject, Stored>, of subject: AnyObject
  ) {
    ThreadState.pauseRecording {
      unsafeDowncast(subject, to: Subject.self)[keyPath: path] = value
    }
  }

  // At the key path, since to write what was read before would read once more.
  @usableFromInline
  override func modifyBySetting<Stored>(_ subject: AnyObject, _ body: (inout Stored) -> Void) {
    guard let path = path as? ReferenceWritableKeyPath<Subject, Stored> else { return }
    ThreadState.pauseRecording { body(&unsafeDowncast(subject, to: Subject.self)[keyPath: path]) }
  }

  override var isRestorable: Bool { path is ReferenceWritableKeyPath<Subject, Value> }

  override func restore(from address: UnsafeRawPointer, in subject: AnyObject) -> Bool {
    guard let path = path as? ReferenceWritableKeyPath<Subject, Value> else { return false }
    write(address.assumingMemoryBound(to: Value.self).pointee, at: path, of: subject)
    return true
  }

  override func converted(
    _ value: Any?, of subject: AnyObject
  ) throws(KeyValueCodingError) -> Any? {
    let converted: Value = try convert(value, forKey: key, of: subject)
    return withUnsafePointer(to: converted) { erase(UnsafeRawPointer($0)) }
  }

  override func assignment(
    of value: Any?, to subject: AnyObject
  ) throws(KeyValueCodingError) -> () -> Void {
    guard let writablePath else {
      throw .readOnly(type: Swift.type(of: subject), key: key)
    }
    let converted: Value = try convert(value, forKey: key, of: subject)
    return { self.write(converted, at: writablePath, of: subject) }
  }

  override var nilBox: AnyValueBox? {
    func box<Optional: OptionalValue>(_: Optional.Type) -> AnyValueBox { ValueBox(Optional.none) }
    return (Value.self as? any OptionalValue.Type).map { box($0) }
  }
}
