// The prefix keeps the names of expansions clear of those of users.
// swift-format-ignore: NoLeadingUnderscores
/// Notifies manually in a class whose superclass has functions named `willChangeValue` and
/// `didChangeValue` itself, as Foundation's `Operation` has on Linux.
///
/// Only expansions of macros use it.
///
/// Those functions hide the ones of ``KeyValueObservable``, and cannot be overridden. A property of the
/// same name is preferred to them, and is called in the same ways. It notifies the observers first, then
/// calls the function of the superclass, which may wake up other threads.
@_documentation(visibility: internal)
public struct _$ManualNotification<Subject: KeyValueObservable> {
  private let subject: Subject
  private let isBeginning: Bool
  private let inheritedKeys: () -> [PartialKeyPath<Subject>: String]
  private let callSuperclass: (String) -> Void

  /// Creates the notification of one call of `willChangeValue` or `didChangeValue`.
  ///
  /// - Parameters:
  ///   - subject: The object that changes.
  ///   - isBeginning: Whether the change is about to happen.
  ///   - inheritedKeys: The keys of which the superclass notifies observers itself, by key path.
  ///   - callSuperclass: Calls the function of the superclass that takes a key.
  public init(
    of subject: Subject, isBeginning: Bool,
    inheritedKeys: @escaping @autoclosure () -> [PartialKeyPath<Subject>: String],
    callSuperclass: @escaping (String) -> Void
  ) {
    self.subject = subject
    self.isBeginning = isBeginning
    self.inheritedKeys = inheritedKeys
    self.callSuperclass = callSuperclass
  }

  /// Notifies the observers of a key, then calls the function of the superclass.
  ///
  /// A key that neither the class nor its superclass has is reported as a diagnostic, and is passed to the
  /// superclass all the same.
  ///
  /// - Parameter key: The key of the property that changes.
  public func callAsFunction(forKey key: String) {
    if let property = subject.keyValueProperty(forKey: key) {
      notify(of: property)
    } else if !inheritedKeys().values.contains(key),
      subject.manuallyChangedProperty(forKey: key) == nil
    {
      subject.reportUnknown(
        key, in: isBeginning ? "willChangeValue(forKey:)" : "didChangeValue(forKey:)")
    }
    callSuperclass(key)
  }

  /// Notifies the observers of a property, then calls the function of the superclass with its key.
  ///
  /// A key path that is no property of the class or its superclass is reported as a diagnostic, and the
  /// superclass is not called.
  ///
  /// - Parameter keyPath: The key path of the property that changes.
  public func callAsFunction<Value>(for keyPath: KeyPath<Subject, Value>) {
    if let property = subject.ownProperty(at: keyPath) {
      notify(of: property)
      callSuperclass(property.key)
    } else if let key = inheritedKeys()[keyPath] {
      callSuperclass(key)
    } else {
      subject.reportUnknown(
        keyPath, in: isBeginning ? "willChangeValue(for:)" : "didChangeValue(for:)")
    }
  }

  private func notify(of property: KeyValueProperty) {
    if isBeginning { subject.beginPair(of: property) } else { subject.endPair(of: property) }
  }
}
