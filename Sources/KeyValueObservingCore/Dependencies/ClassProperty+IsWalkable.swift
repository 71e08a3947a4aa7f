extension ClassProperty {
  /// Whether a path may be walked through the property, which may be weak or manual: it is what it says it
  /// is, and reading it reads nothing else that could change.
  ///
  /// A getter that is written by hand, or overridden in a subclass that does not list its properties, may read
  /// anything. So it is called once, to see.
  func isWalkable(in object: some KeyValueObservable) -> Bool {
    switch walkability.load(ordering: .relaxed) {
    case .walkable: return true
    case .notWalkable: return false
    case .unknown: break
    }
    let isWalkable =
      property.kind != .computed && !hasDependencies
      && object.keyValueProperty(forKey: property.key) === property
      && (isReadByMacro
        || ReadRecorder.withKeys(readBy: { property.read(object) }) { keys in
          keys.allSatisfy { $0 == (property.name, ObjectIdentifier(object)) }
            && keys.count == (property.kind == .constant ? 0 : 1)
        })
    walkability.store(isWalkable ? .walkable : .notWalkable, ordering: .relaxed)
    return isWalkable
  }

  /// Whether its getter is one that the macro has written: no superclass can have it.
  private var isReadByMacro: Bool { property.isOfMacro && _getSuperclass(owner) == nil }
}

extension KeyValueProperty {
  /// The same for the property that an object has.
  func isWalkable(in subject: some KeyValueObservable) -> Bool {
    let table = PropertyTable.of(type(of: subject))
    if let listed = table.classProperty(named: key), listed.property === self {
      return listed.isWalkable(in: subject)
    }
    return kind != .computed && table.dependencies(of: name) == nil
  }

  /// Whether changes of other keys are changes of this one.
  func dependsOnOthers(in subject: some KeyValueObservable) -> Bool {
    kind == .computed
      || PropertyTable.of(type(of: subject)).dependencies(of: name) != nil
  }
}
