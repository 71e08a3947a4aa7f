internal import KeyValueObservingCore

// Reads that getters record.
extension KeyValueConformanceCheck {
  static let dependencies = Self(
    "P21", "a getter records that it is read, so that a computed property depends on it"
  ) { trial in
    let object = try trial.make()
    let reader = Reader { try? trial.value(of: object) }
    let end = try trial.observe(reader, "reading")
    try trial.set(trial.second, of: object)
    end()
    trial.expect(
      "a computed property that reads \(trial.source.key)",
      [.init("", .setting(from: trial.first, to: trial.second))])
    guard let link = trial.source.link else { return }
    let other = try trial.make()
    let linkReader = Reader { try? object.value(forKey: link) }
    let endOther = try trial.observe(linkReader, "reading", .new)
    try trial.set(other, of: object, forKey: link)
    endOther()
    trial.expect("a computed property that reads \(link)", [.init("", .setting(to: other))])
  }

  /// Has a property that is computed from an object of any kind.
  private final class Reader: KeyValueObservable {
    let keyValueRegistrar = KeyValueRegistrar()
    private let read: () -> Any?

    init(_ read: @escaping () -> Any?) {
      self.read = read
    }

    static func keyValueProperties() -> [KeyValueProperty] {
      [.computed("reading", \Reader.reading, chained: \Reader?.?.reading, isReadOnly: true)]
    }

    var reading: Any? { read() }
  }
}
