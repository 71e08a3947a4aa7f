// Changes that no setter makes, in a class that is also `Observable` (P95).
//
// The setters of such a class notify the registrar of the module `Observation` themselves. For a manual
// notification, or the deallocation of a weak property's object, the engine has to. It does not import that
// module, so the class lists a function that does, with its properties.

/// Notifies the registrar of the module `Observation` that an object of a class has.
final class ObservationTracker<Subject: KeyValueObservable>: KeyValueProperty, @unchecked Sendable {
  typealias Notify = (Subject, _$ObservationEvent, KeyPath<Subject, Any>) -> Void

  private let notify: Notify

  init(_ notify: @escaping Notify) {
    self.notify = notify
    super.init(
      name: KeyName(""), kind: .tracker, valueType: Never.self, isPrivate: true, dependsOn: [],
      accessor: KeyValueAccessor { (_: AnyObject) in () })
  }

  override func notifyTracking(
    _ event: _$ObservationEvent, of keyPath: AnyKeyPath, in subject: AnyObject
  ) {
    // The registrar compares key paths and reads nothing through them, so the type of the value does not
    // count. That of the root is `Subject`, since one table lists both.
    let address = Unmanaged.passUnretained(keyPath).toOpaque()
    Unmanaged<KeyPath<Subject, Any>>.fromOpaque(address)._withUnsafeGuaranteedRef {
      notify(unsafeDowncast(subject, to: Subject.self), event, $0)
    }
  }
}

extension KeyValueProperty {
  // swift-format-ignore: NoLeadingUnderscores
  /// Adds the function that notifies the registrar of the module `Observation` to a list.
  ///
  /// Only expansions of macros call it.
  ///
  /// - Parameters:
  ///   - type: The class, or the generic parameter at which the key paths of the list start.
  ///   - properties: The list.
  ///   - notify: Notifies the registrar of an event of the property at a key path.
  @_documentation(visibility: internal)
  public static func _$addTracker<Subject: KeyValueObservable>(
    of type: Subject.Type, to properties: inout [KeyValueProperty],
    _ notify: @escaping (Subject, _$ObservationEvent, KeyPath<Subject, Any>) -> Void
  ) {
    properties.append(ObservationTracker(notify))
  }
}

extension KeyValueObservable {
  /// Notifies the registrar of the module `Observation`, if the class is `Observable`, of an event that its
  /// accessors do not report.
  func notifyTracking(_ event: _$ObservationEvent, of property: KeyValueProperty) {
    PropertyTable.unmanaged(of: type(of: self))._withUnsafeGuaranteedRef {
      if $0.tracker != nil { $0.notifyTracking(event, of: property.name, in: self) }
    }
  }

  /// Notifies the registrar of the module `Observation` that a computed property was read whose
  /// getter calls `access(_:of:)`.
  ///
  /// Getters of stored properties do it themselves.
  func trackRead(ofComputed name: KeyName) {
    let table = PropertyTable.of(type(of: self))
    guard table.tracker != nil else { return }
    let property = table.property(named: name)
    if property?.kind == .computed { table.notifyTracking(.access, of: name, in: self) }
  }
}

extension PropertyTable {
  /// Key paths are equal only where their roots are.
  ///
  /// An accessor that a superclass declares uses that class, so the event is one of the key path
  /// from each class that has the property.
  fileprivate func notifyTracking(
    _ event: _$ObservationEvent, of name: KeyName, in subject: AnyObject
  ) {
    guard let tracker else { return }
    if let keyPath = property(named: name)?.keyPath {
      tracker.notifyTracking(event, of: keyPath, in: subject)
    }
    if let superclass = _getSuperclass(type).flatMap(observableType) {
      PropertyTable.of(superclass).notifyTracking(event, of: name, in: subject)
    }
  }

  fileprivate func property(named name: KeyName) -> KeyValueProperty? {
    let property = property(named: name.key)
    return property?.name == name ? property : hiddenProperty(named: name)
  }
}
