import KeyValueObservingFoundation
import Testing

/// An object of another library, as the page shows its interface.
final class Device {
  static let propertyTypes: [String: Any.Type] = ["volume": Int.self, "title": String?.self]

  private var values: [String: Any] = ["volume": 5]
  private var handlers: [Int: (name: String, call: () -> Void)] = [:]
  private var lastNumber = 0

  var handlerCount: Int { handlers.count }

  func property(_ name: String) -> Any? { values[name] }

  func setProperty(_ name: String, to value: Any?) {
    values[name] = value
    for handler in handlers.values where handler.name == name { handler.call() }
  }

  func connect(_ name: String, _ handler: @escaping () -> Void) -> Int {
    lastNumber += 1
    handlers[lastNumber] = (name, handler)
    return lastNumber
  }

  func disconnect(_ number: Int) { handlers[number] = nil }
}

// guide: foreign class
final class DeviceSource: KeyValueSource {
  let keyValueRegistrar = KeyValueRegistrar()
  let device: Device

  init(_ device: Device) { self.device = device }
  // end

  // guide: foreign keys
  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }
  var dynamicKeys: [String] { Self.entries.keys.sorted() }

  func keyValueProperty(forKey key: String) -> KeyValueProperty? { Self.entries[key] }

  private static let entries = Dictionary(
    uniqueKeysWithValues: Device.propertyTypes.map { key, type in
      let entry = KeyValueProperty.entry(
        key, of: DeviceSource.self, valueType: type, get: { $0.value(key) },
        set: { source, value throws(KeyValueCodingError) in try source.set(key, value) })
      return (key, entry)
    })
  // end

  // guide: foreign values
  private func value(_ key: String) -> Any? {
    keyValueRegistrar.value(of: Self.entries[key]!, in: self) { device.property(key) }
  }

  private func set(_ key: String, _ value: Any?) throws(KeyValueCodingError) {
    try keyValueRegistrar.set(
      Self.entries[key]!, of: self, to: value, read: { device.property(key) },
      write: { value in
        keyBeingSet = key
        device.setProperty(key, to: value)
        keyBeingSet = nil
      })
    if formerValues[key] != nil { formerValues[key] = .some(device.property(key)) }
  }

  private var keyBeingSet: String?
  // end

  // guide: foreign changes
  private var connections: [String: Int] = [:]
  private var formerValues: [String: Any?] = [:]

  func didBecomeObserved(forKey key: String) {
    formerValues[key] = .some(device.property(key))
    connections[key] = device.connect(key) { [unowned self] in report(key) }
  }

  func didBecomeUnobserved(forKey key: String) {
    connections.removeValue(forKey: key).map { device.disconnect($0) }
    formerValues[key] = nil
  }

  private func report(_ key: String) {
    guard key != keyBeingSet, let old = formerValues[key] else { return }
    let new = device.property(key)
    formerValues[key] = .some(new)
    keyValueRegistrar.didChange(Self.entries[key]!, of: self, from: old, to: new)
  }
  // end

  deinit {
    for connection in connections.values { device.disconnect(connection) }
  }
}

// guide: foreign subscript
struct DeviceKey<Value>: Hashable {
  let name: String

  static var volume: DeviceKey<Int> { DeviceKey<Int>(name: "volume") }
  static var title: DeviceKey<String> { DeviceKey<String>(name: "title") }
}

extension DeviceSource {
  subscript<Value>(key: DeviceKey<Value>) -> Value? {
    value(key.name) as? Value
  }
}
// end

@KeyValueObservable
private final class Room {
  var source: DeviceSource?
}

@Suite("A kind of object of your own, as the page shows it")
struct ForeignObjectTests {
  private func loudness(of room: Room) -> Int? { room.source?[DeviceKey<Int>.volume] }

  @Test("P69, P70, P72: the class on the page does what the page says")
  func page() throws {
    let device = Device()
    let room = Room()
    room.source = DeviceSource(device)
    var log: [String] = []
    let token = try room.observe("source.volume", options: [.old, .new]) { _, change in
      log.append("\(change)")
    }
    #expect(device.handlerCount == 1)
    device.setProperty("volume", to: 7)
    try room.setValue(8.0, forKeyPath: "source.volume")
    #expect(loudness(of: room) == 8)
    device.setProperty("volume", to: 9)
    room.source = nil
    #expect(
      log == [
        "setting from 5 to 7", "setting from 7 to 8", "setting from 8 to 9",
        "setting from 9 to nil, path changed",
      ])
    #expect(device.handlerCount == 0)
    withExtendedLifetime((token, room)) {}
  }

  @Test("P69: what does not fit is refused by name")
  func refused() throws {
    let source = DeviceSource(Device())
    #expect(throws: KeyValueCodingError.self) { try source.setValue("loud", forKey: "volume") }
    #expect(
      throws: KeyValueCodingError.undefinedKey(
        "volumee", type: DeviceSource.self, suggestion: "volume")
    ) { try source.value(forKey: "volumee") }
  }
}
