extension ClassProperty {
  /// Whether a path may be walked through the property: it is what it says it is, and reading it
  /// reads nothing else that could change.
  ///
  /// A subclass that does not list its properties may have overridden the getter of this one. So
  /// it is read once, to see.
  func isPlain(in object: some KeyValueObservable) -> Bool {
    switch verdict.load(ordering: .relaxed) {
    case .isPlain: return true
    case .isNotPlain: return false
    case .none: break
    }
    let isPlain =
      property.isStoredOrConstant && dependencies == nil
      && object.keyValueProperty(forKey: property.key) === property
      && ReadRecorder.isAllRead(property.kind == .constant ? nil : property.name, of: object) {
        property.read(object)
      }
    verdict.store(isPlain ? .isPlain : .isNotPlain, ordering: .relaxed)
    return isPlain
  }
}
