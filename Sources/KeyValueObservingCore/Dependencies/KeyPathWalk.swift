/// Reads values along string key paths, object by object.
enum KeyPathWalk {
  /// Reads a path for the sake of what is read on the way: a declared dependency (P21).
  static func read(
    _ keyPath: String, from subject: some KeyValueObservable,
    recording: UnsafeMutablePointer<Recording>
  ) {
    var object: any KeyValueObservable = subject
    for key in keyPath.split(separator: ".").map(String.init) {
      guard let property = object.keyValueProperty(forKey: key) else {
        KeyValueDiagnostics.report(
          .unknownDependency(
            type: type(of: object), key: key, keyPath: keyPath, subject: type(of: subject)))
        return
      }
      let value = property.value(of: object)
      if property.kind == .computed { follow(property, of: object, recording) }
      guard let next = value as? any KeyValueObservable else { return }
      object = next
    }
  }

  /// Follows what a computed property depends on by declaration, where reads are recorded on this
  /// thread. A stored one that is read says so itself.
  static func followDependencies(of key: String, of object: some KeyValueObservable) {
    guard KeyValueRegistrar.isTracking, let recording = Recording.current,
      let property = object.keyValueProperty(forKey: key), property.kind == .computed
    else { return }
    follow(property, of: object, recording)
  }

  private static func follow(
    _ property: KeyValueProperty, of object: some KeyValueObservable,
    _ recording: UnsafeMutablePointer<Recording>
  ) {
    let table = PropertyTable.of(type(of: object))
    guard let keyPaths = table.dependencies(of: property.key) else { return }
    let slot = object.observationContext.makeSlot(
      named: property.name, isManual: table.isManual(property.name))
    recording.follow(keyPaths, from: object, slot: slot)
  }

  /// The value at the end of a path, nil where a link is nil or cannot be observed.
  static func value(at keys: [String], from subject: any KeyValueObservable) -> Any? {
    var object = subject
    for place in keys.indices {
      guard let property = object.keyValueProperty(forKey: keys[place]) else { return nil }
      let isLast = place == keys.count - 1
      if let recording = Recording.current {
        recording.pointee.component = PathComponent(property: property, isLast: isLast)
      }
      let value = property.value(of: object)
      if let recording = Recording.current, property.kind == .computed {
        follow(property, of: object, recording)
      }
      if isLast { return value }
      guard let value else { return nil }
      guard let next = value as? any KeyValueObservable else {
        if Recording.current != nil {
          KeyValueDiagnostics.report(
            .unobservableLink(
              type: type(of: object), key: keys[place], value: type(of: value),
              keyPath: keys.joined(separator: ".")))
        }
        return nil
      }
      object = next
    }
    return nil
  }
}
