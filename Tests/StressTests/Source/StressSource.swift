import KeyValueObserving
import TestSupport

/// Stands for an object that any thread may change, and watches how it is notified of being observed.
final class StressSource: KeyValueSource, Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  private let number = Guarded(0)
  private let peer = Guarded<StressSource?>(nil)
  private let notifications = Guarded<[String: Notifications]>([:])
  private let life: Life

  /// The notifications for a key.
  struct Notifications {
    var isObserved = false
    var isInside = false
    var count = 0
    var faults: [String] = []
  }

  init(in census: Census) { life = census.birth(of: .node) }

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }

  func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    switch key {
    case "value": Self.valueEntry
    case "peer": Self.peerEntry
    default: nil
    }
  }

  private static let valueEntry: KeyValueProperty = .entry(
    "value", of: StressSource.self, valueType: Int.self, get: { $0.value },
    set: { source, value throws(KeyValueCodingError) in
      try source.keyValueRegistrar.set(
        valueEntry, of: source, to: value, read: { source.number.value },
        write: { source.number.exchange($0 as? Int ?? 0) })
    })

  private static let peerEntry: KeyValueProperty = .entry(
    "peer", of: StressSource.self, valueType: StressSource?.self,
    get: { source in
      source.keyValueRegistrar.value(of: peerEntry, in: source) { source.peer.value }
    }, set: nil)

  var value: Int {
    keyValueRegistrar.value(of: Self.valueEntry, in: self) { number.value } as? Int ?? 0
  }

  /// Changes by itself, and reports it afterwards.
  func change(to value: Int) {
    let former = number.exchange(value)
    keyValueRegistrar.didChange(Self.valueEntry, of: self, from: former, to: value)
  }

  func change(peer: StressSource?) {
    let former = self.peer.exchange(peer)
    keyValueRegistrar.didChange(Self.peerEntry, of: self, from: former, to: peer)
  }

  func didBecomeObserved(forKey key: String) { note(key, isObserved: true) }
  func didBecomeUnobserved(forKey key: String) { note(key, isObserved: false) }

  private func note(_ key: String, isObserved: Bool) {
    notifications.withLock {
      var own = $0[key, default: Notifications()]
      if own.isInside { own.faults.append("\(key): inside of another notification") }
      if own.isObserved == isObserved { own.faults.append("\(key): \(isObserved) twice") }
      own.isObserved = isObserved
      own.isInside = true
      own.count += 1
      $0[key] = own
    }
    // Makes room for other threads.
    _ = value
    notifications.withLock { $0[key]?.isInside = false }
  }

  /// How often it was notified, and what was wrong with that, now that no observer is left.
  func summary() -> (count: Int, faults: [String]) {
    let all = notifications.value
    let observed = all.filter(\.value.isObserved).keys.map { "\($0): observed to the end" }
    return (all.values.reduce(0) { $0 + $1.count }, all.values.flatMap(\.faults) + observed)
  }
}

/// An object of Swift's that leads to a source.
@KeyValueObservable
final class StressHolder: Sendable {
  var source: StressSource?
  var factor = 1

  var product: Int { (source?.value ?? 0) * factor }
}
