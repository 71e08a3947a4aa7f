import KeyValueObserving
import KeyValueObservingCore

/// An object of another library, as far as the tests are concerned: it changes by itself, and calls
/// those that listen to a key after that has changed.
final class Widget {
  private(set) var values: [String: Any]
  private var listeners: [String: () -> Void] = [:]
  /// The keys whose calls wait, while they do; nil while calls do not wait.
  private var waitingKeys: [String]?

  init(_ values: [String: Any] = [:]) { self.values = values }

  func change(_ key: String, to value: Any?) {
    values[key] = value
    if waitingKeys == nil {
      listeners[key]?()
    } else {
      waitingKeys?.append(key)
    }
  }

  /// Lets all calls wait.
  func beginUpdates() { waitingKeys = [] }

  /// Makes the calls that have waited.
  func endUpdates() {
    guard let keys = waitingKeys else { return }
    waitingKeys = nil
    for key in keys { listeners[key]?() }
  }

  /// Changes without a call: it was called when the value was set.
  func store(_ key: String, _ value: Any?) { values[key] = value }

  func listen(to key: String, _ listener: @escaping () -> Void) { listeners[key] = listener }
  func stopListening(to key: String) { listeners[key] = nil }
  var listenedKeys: [String] { listeners.keys.sorted() }
}

/// The observable object for a `Widget`: one entry for each key of all widgets.
final class WidgetSource: KeyValueSource {
  let keyValueRegistrar = KeyValueRegistrar()
  let widget: Widget
  /// `+key` where the key came to be observed, `-key` where it ceased to be.
  private(set) var observed: [String] = []
  /// Called after each of these is written down.
  var onObserved: (String) -> Void = { _ in }
  /// `begin` and `end` of collecting notifications.
  private(set) var updates: [String] = []
  /// Called after each of these is written down.
  var onUpdates: (String) -> Void = { _ in }
  /// How often typed subscripts were read.
  var subscriptReads = 0
  private var lastValues: [String: Any] = [:]

  init(_ values: [String: Any] = [:]) { widget = Widget(values) }

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }
  func keyValueProperty(forKey key: String) -> KeyValueProperty? { Self.entries[key] }
  var dynamicKeys: [String] { Self.entries.keys.sorted() }

  /// Made once; entries belong to no object and never change.
  private static let entries: [String: KeyValueProperty] = [
    "upper": entry("upper", Double.self), "lower": entry("lower", Double.self),
    "title": entry("title", String?.self), "child": entry("child", WidgetSource?.self),
    "any": entry("any", Any?.self), "names": entry("names", [String].self),
    "size": .entry(
      "size", of: WidgetSource.self, valueType: Int.self, get: { $0.value("size") }, set: nil),
    "password": .entry(
      "password", of: WidgetSource.self, valueType: String.self, get: nil,
      set: { $0.widget.store("password", $1) }),
    "small": .entry(
      "small", of: WidgetSource.self, valueType: Int.self, get: { $0.value("small") },
      set: { source, value throws(KeyValueCodingError) in
        guard let number = value as? Int, number < 10 else {
          throw .typeMismatch(
            type: WidgetSource.self, key: "small", expected: Int.self, actual: Int.self,
            value: "\(value ?? "nil")")
        }
        try source.set("small", value)
      }),
  ]

  private static func entry(_ key: String, _ type: Any.Type) -> KeyValueProperty {
    .entry(
      key, of: WidgetSource.self, valueType: type, get: { $0.value(key) },
      set: { source, value throws(KeyValueCodingError) in try source.set(key, value) })
  }

  private func value(_ key: String) -> Any? {
    keyValueRegistrar.value(of: Self.entries[key]!, in: self) { widget.values[key] }
  }

  private func set(_ key: String, _ value: Any?) throws(KeyValueCodingError) {
    try keyValueRegistrar.set(
      Self.entries[key]!, of: self, to: value, read: { widget.values[key] },
      write: {
        widget.store(key, $0)
        lastValues[key] = $0
      })
  }

  subscript(key: String) -> Any? {
    get { try! value(forKey: key) }
    set { try! setValue(newValue, forKey: key) }
  }

  func didBecomeObserved(forKey key: String) {
    lastValues[key] = widget.values[key]
    widget.listen(to: key) { [unowned self] in report(key) }
    observed.append("+\(key)")
    onObserved("+\(key)")
  }

  func didBecomeUnobserved(forKey key: String) {
    widget.stopListening(to: key)
    lastValues[key] = nil
    observed.append("-\(key)")
    onObserved("-\(key)")
  }

  func willChangeInTransaction() {
    widget.beginUpdates()
    updates.append("begin")
    onUpdates("begin")
  }

  func didChangeInTransaction() {
    widget.endUpdates()
    updates.append("end")
    onUpdates("end")
  }

  private func report(_ key: String) {
    let (old, new) = (lastValues[key], widget.values[key])
    lastValues[key] = new
    keyValueRegistrar.didChange(Self.entries[key]!, of: self, from: old, to: new)
  }

  /// Returns what was written down, and begins anew.
  func takeObserved() -> [String] {
    defer { observed = [] }
    return observed
  }

  /// The same.
  func takeUpdates() -> [String] {
    defer { updates = [] }
    return updates
  }
}

/// A key of widgets with the type of its values.
struct WidgetKey<Value>: Hashable {
  let name: String
}

extension WidgetKey<Double> {
  static var upper: Self { Self(name: "upper") }
  static var lower: Self { Self(name: "lower") }
}

extension WidgetKey<WidgetSource> {
  static var child: Self { Self(name: "child") }
}

extension WidgetSource {
  subscript<Value>(key: WidgetKey<Value>) -> Value? {
    if KeyValueRegistrar.isTracking {
      KeyValueRegistrar.noteSubscript(
        of: key.name, at: \WidgetSource[key], chained: \WidgetSource?.?[key]
      ) { $0[key] }
    }
    subscriptReads += 1
    return value(key.name) as? Value
  }
}

/// An object of Swift's that has a widget.
@KeyValueObservable
final class WidgetHolder {
  var widget: WidgetSource?
  var factor = 1.0
  var isShown = true

  /// The widget's properties that its getter reads are found by evaluating it.
  var area: Double { (widget?[.upper] ?? 0) * factor }
  var span: Double? { isShown ? widget?[.child]?[.upper] : nil }
}
