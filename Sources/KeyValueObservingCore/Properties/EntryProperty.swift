/// A property whose key is data and whose value may be anything.
final class EntryProperty<Subject: KeyValueObservable>: KeyValueProperty, @unchecked Sendable {
  private let setter: ((Subject, Any?) -> Void)?

  init(_ key: String, get: @escaping (Subject) -> Any?, set: ((Subject, Any?) -> Void)?) {
    setter = set
    let name = key.withKeyName { $0.kept() }
    super.init(
      name: name, kind: .stored, valueType: Any?.self, isPrivate: false, dependsOn: [],
      accessor: KeyValueAccessor { get(unsafeDowncast($0, to: Subject.self)) })
  }

  override var isReadOnly: Bool { setter == nil }

  override func setValue(_ value: Any?, of subject: AnyObject) throws(KeyValueCodingError) {
    guard let setter else { throw .readOnly(type: type(of: subject), key: key) }
    setter(unsafeDowncast(subject, to: Subject.self), value)
  }

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
