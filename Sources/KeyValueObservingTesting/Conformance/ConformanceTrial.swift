/// One run of a check: creates objects, observes them, and records the changes.
final class ConformanceTrial {
  private(set) var failures: [String] = []
  let source: KeyValueConformanceSource
  private let recorder = KeyValueChangeRecorder()

  init(_ source: KeyValueConformanceSource) {
    self.source = source
  }

  var first: Any { source.values[0] }
  var second: Any { source.values[1] }
  var third: Any { source.values[2] }

  /// Creates an object whose property has a value.
  func make(_ value: Any? = nil) throws -> any KeyValueObservable {
    let object = source.make()
    try set(value ?? first, of: object)
    return object
  }

  func set(_ value: Any?, of object: any KeyValueObservable, forKey key: String? = nil) throws {
    try object.setValue(value, forKey: key ?? source.key)
  }

  func value(of object: any KeyValueObservable) throws -> Any? {
    try object.value(forKey: source.key)
  }

  func isValue(of object: any KeyValueObservable, _ value: Any) throws -> Bool {
    try RecordedValue(self.value(of: object)) == RecordedValue(value)
  }

  /// Observes, records each change under a name, and then calls a closure.
  func observe(
    _ object: any KeyValueObservable, _ keyPath: String? = nil,
    _ options: KeyValueObservation.Options = [.new, .old], as name: String = "",
    then body: @escaping (KeyValueChange<Any?>) -> Void = { _ in }
  ) throws -> () -> Void {
    try source.surface.register(object, keyPath ?? source.key, options) { [recorder] change in
      recorder.record(change, as: name)
      body(change)
    }
  }

  func record(_ change: KeyValueChange<Any?>, as name: String) {
    recorder.record(change, as: name)
  }

  /// Compares the changes that were recorded since the last comparison.
  func expect(_ situation: String, _ expected: [KeyValueChangeRecord]) {
    let comparison = HistoryComparison(expected: expected, found: recorder.take())
    if let failure = comparison.failure(of: situation) { failures.append(failure) }
  }

  func expect(_ isKept: Bool, _ otherwise: String) {
    if !isKept { fail(otherwise) }
  }

  func fail(_ failure: String) { failures.append(failure) }
}
