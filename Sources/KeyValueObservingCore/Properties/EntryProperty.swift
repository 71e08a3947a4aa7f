/// A property whose key is data and whose value may be anything.
class EntryProperty<Subject: KeyValueObservable>: KeyValueProperty, @unchecked Sendable {
  private let setter: ((Subject, Any?) -> Void)?

  /// - Parameter modify: Changes the value in place, without telling anybody.
  init(
    _ key: String, get: @escaping (Subject) -> Any?, set: ((Subject, Any?) -> Void)?,
    modify: ((Subject, (inout Any?) -> Void) -> Void)? = nil
  ) {
    setter = set
    let name = key.withKeyName { $0.kept() }
    super.init(
      name: name, kind: .stored, valueType: Any?.self, isPrivate: false, dependsOn: [],
      accessor: KeyValueAccessor(
        { get(unsafeDowncast($0, to: Subject.self)) },
        modify: modify.map { modify in
          { subject, body in modify(unsafeDowncast(subject, to: Subject.self), body) }
        }))
  }

  override var isReadOnly: Bool { setter == nil }

  override func setValue(_ value: Any?, of subject: AnyObject) throws(KeyValueCodingError) {
    guard let setter else { throw .readOnly(type: type(of: subject), key: key) }
    setter(unsafeDowncast(subject, to: Subject.self), value)
  }

  @usableFromInline
  override func store<Stored>(_ value: Stored, in subject: AnyObject) {
    setter?(unsafeDowncast(subject, to: Subject.self), flatten(value))
  }

  override func assignment(
    of value: Any?, to subject: AnyObject
  ) throws(KeyValueCodingError) -> () -> Void {
    guard let setter else { throw .readOnly(type: type(of: subject), key: key) }
    return { setter(unsafeDowncast(subject, to: Subject.self), value) }
  }

  override func withNil(_ body: (UnsafeRawPointer) -> Void) {
    withUnsafePointer(to: Any?.none) { body(UnsafeRawPointer($0)) }
  }
}
