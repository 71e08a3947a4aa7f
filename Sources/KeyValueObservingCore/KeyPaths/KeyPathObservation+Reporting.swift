extension KeyPathObservation {
  /// Reports a path that reads nothing observable: ignored properties, constants, or values of
  /// unobservable classes.
  ///
  /// A single constant is a key like others, and does not come here; nothing is read of an object
  /// that is being deallocated. An observer with reasons registers for `\.self` to be notified of
  /// the deallocation of the object.
  func reportIfNothingIsRead() {
    func identity<Root: KeyValueObservable>(of _: Root.Type) -> AnyKeyPath { \Root.self }
    // The links are guarded by a lock (row: path of 2, register + end).
    if plan?._withUnsafeGuaranteedRef({ $0.alwaysReadsKey }) == true || isAttached { return }
    guard case .typed(let keyPath, let root, _) = origin, subject != nil,
      !(completion?.notifiesOfDeletion ?? false && keyPath == identity(of: root))
    else { return }
    let addsProperties = PropertyTable.of(root).addsProperties
    KeyValueDiagnostics.report(
      .unobservableKeyPath(keyPath, of: root, addsProperties: addsProperties).caused(by: [nil]))
  }
}
