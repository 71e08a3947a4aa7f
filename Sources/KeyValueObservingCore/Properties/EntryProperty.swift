/// A property whose key is data.
///
/// Observers receive its values as `Any?`, whatever type they have.
class EntryProperty<Subject: KeyValueObservable>: KeyValueProperty, @unchecked Sendable {
  typealias Setter = (Subject, Any?) throws(KeyValueCodingError) -> Void

  private let setter: Setter?
  private let declared: Any.Type
  /// The type without its optional layers; nil where a value may be anything.
  private let contentType: Any.Type?
  private let hasGetter: Bool

  /// - `modify`: Changes the value in place, without notifying observers.
  init(
    _ key: String, valueType: Any.Type = Any?.self, get: ((Subject) -> Any?)?, set: Setter?,
    modify: ((Subject, (inout Any?) -> Void) -> Void)? = nil
  ) {
    setter = set
    declared = valueType
    contentType = valueType == Any?.self || valueType == Any.self ? nil : unwrappedType(valueType)
    hasGetter = get != nil
    let read: (AnyObject) -> Any? =
      get.map { get in { get(unsafeDowncast($0, to: Subject.self)) } } ?? { _ in nil }
    super.init(
      name: KeyName.interned(key), kind: .stored, valueType: Any?.self, isPrivate: false,
      dependsOn: [],
      accessor: modify.map { modify in
        KeyValueAccessor(read) { subject, body in
          modify(unsafeDowncast(subject, to: Subject.self), body)
        }
      } ?? KeyValueAccessor(read))
  }

  override var isEntry: Bool { true }
  override var declaredType: Any.Type { declared }
  override var isReadOnly: Bool { setter == nil }
  override var isWriteOnly: Bool { !hasGetter }
  override var mayRefuseValues: Bool { true }

  override func setValue(_ value: Any?, of subject: AnyObject) throws(KeyValueCodingError) {
    guard let setter else { throw .readOnly(type: type(of: subject), key: key) }
    try setter(unsafeDowncast(subject, to: Subject.self), converted(value, of: subject))
  }

  /// Stores what an edit of a proxy has made of the value.
  ///
  /// An edit cannot throw.
  @usableFromInline
  override func store<Stored>(_ value: Stored, in subject: AnyObject) {
    do throws(KeyValueCodingError) {
      try setValue(flatten(value), of: subject)
    } catch {
      KeyValueDiagnostics.report(
        .rejectedMutation(type: type(of: subject), key: key, because: error.message))
    }
  }

  override var isRestorable: Bool { setter != nil }

  override func restore(from address: UnsafeRawPointer, in subject: AnyObject) -> Bool {
    let value = address.assumingMemoryBound(to: Any?.self).pointee
    return (try? setter?(unsafeDowncast(subject, to: Subject.self), value)) != nil
  }

  override func assignment(
    of value: Any?, to subject: AnyObject
  ) throws(KeyValueCodingError) -> () -> Void {
    guard setter != nil else { throw .readOnly(type: type(of: subject), key: key) }
    let converted = try converted(value, of: subject)
    return { self.store(converted, in: subject) }
  }

  override var nilBox: AnyValueBox? { ValueBox<Any?>(nil) }

  /// A value as one of the entry's type, if nothing is lost (P42).
  override func converted(
    _ value: Any?, of subject: AnyObject
  ) throws(KeyValueCodingError) -> Any? {
    // A value that is not nil may be anything where the type is `Any`.
    let flat = withUnsafePointer(to: value) { flattenErased(at: $0) }
    if contentType == nil, declared == Any?.self || flat != nil { return flat }
    guard let contentType else {
      throw .nilForNonOptional(type: type(of: subject), key: key, expected: declared)
    }
    guard let flat else {
      if declared is any OptionalValue.Type { return nil }
      throw .nilForNonOptional(type: type(of: subject), key: key, expected: declared)
    }
    if type(of: flat) == contentType { return flat }
    func convert<Value>(_: Value.Type) -> Any? { losslessly(flat, as: Value.self).map { $0 } }
    if let converted = _openExistential(contentType, do: convert) { return converted }
    throw .typeMismatch(
      type: type(of: subject), key: key, expected: declared, actual: type(of: flat),
      value: String(describing: flat))
  }
}
