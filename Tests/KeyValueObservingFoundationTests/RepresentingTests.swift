import Foundation
import KeyValueObservingFoundation
import TestSupport
import Testing

@Suite("Reading a property as another type")
struct RepresentingTests {
  private let device = Device()

  @Test("A raw value is read as its enum, with and without a conformance")
  func rawValues() throws {
    #expect(try device.value(forKey: "modeCode", as: Mode.self) == .off)
    #expect(try device.value(forKey: "channelName", as: Channel.self) == .left)
    device.modeCode = 1
    #expect(try device.value(forKey: "modeCode", as: Mode.self) == .on)
  }

  @Test("A structure is made from what the property keeps in its place, along a path too")
  func structures() throws {
    #expect(try device.value(forKey: "price", as: Money.self) == Money(cents: 199))
    let other = Device()
    other.price = "2.50"
    device.next = other
    #expect(try device.value(forKeyPath: "next.price", as: Money.self) == Money(cents: 250))
    #expect(try other.value(forKeyPath: "next.price", as: Money.self) == nil)
  }

  @Test("P42: numbers and raw values are read as other types that hold them without loss")
  func numbers() throws {
    #expect(try device.value(forKey: "level", as: Int.self) == 7)
    #expect(try device.value(forKey: "level", as: Double.self) == 7)
    #expect(try device.value(forKey: "level", as: NSNumber.self) == 7)
    #expect(try device.value(forKey: "wide", as: Narrow.self) == .second)
    #expect(try device.value(forKey: "wide", as: UInt8.self) == 1)
    #expect(try device.value(forKey: "mode", as: Int.self) == 1)
    #expect(try device.value(forKey: "level", as: Percentage.self)?.share == 0.07)
    #expect(try device.value(forKey: "levels", as: [Int].self) == [1, 2])
  }

  @Test("P42: a number that the type does not hold is nil, without a diagnostic")
  func numbersThatDoNotFit() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let device = Device()
      device.level = 300
      let byte = try device.value(forKey: "level", as: Int8.self)
      let flag = try device.value(forKey: "level", as: Bool.self)
      let narrow = try device.value(forKey: "level", as: Narrow.self)
      let byteOfMode = try device.value(forKey: "wide", as: Int8.self)
      #expect(byte == nil && flag == nil && narrow == nil && byteOfMode == 1)
      #expect(Diagnostics.take() == [])
      let text = try device.value(forKey: "level", as: String.self)
      let number = try device.value(forKey: "price", as: Double.self)
      #expect(text == nil && number == nil)
      #expect(Diagnostics.take().count == 2)
    }
  }

  @Test("P26, P33: an observer converts, says why, and is notified of the end of its source")
  func observer() throws {
    var device: Device? = Device()
    var history: [KeyValueChange<Narrow?>] = []
    let observer = try KeyValueObserver(source: device!, keyPath: "next.wide", as: Narrow.self) {
      change, reason in
      #expect(change.reason == reason)
      history.append(change)
    }
    device?.next = Device()
    device?.next?.wide = .first
    device?.next?.wide = .widest
    device = nil
    #expect(
      history == [
        KeyValueChange(newValue: .some(nil)),
        KeyValueChange(newValue: .second, reason: .pathChanged),
        KeyValueChange(newValue: .first), KeyValueChange(newValue: .some(nil)),
        KeyValueChange(reason: .sourceDeleted),
      ])
    observer.cancel()
  }

  @Test("P31, P40: a converting observer ends, and belongs to no actor if isolation is nil")
  func observerEnds() throws {
    let values = Guarded<[Int?]>([])
    let observer = try KeyValueObserver(
      source: device, keyPath: "level", as: Int.self, options: .new, isolation: nil
    ) { change, _ in values.withLock { $0.append(change.newValue!) } }
    device.level = 1
    observer.cancel()
    device.level = 2
    #expect(values.withLock { $0 } == [1])
    #expect(throws: KeyValueCodingError.self) {
      _ = try KeyValueObserver(source: device, keyPath: "levl", as: Int.self) { _, _ in }
    }
  }

  @Test("A property of the type itself is read as it is")
  func sameType() throws {
    #expect(try device.value(forKey: "mode", as: Mode.self) == .on)
    #expect(try device.value(forKey: "price", as: String.self) == "1.99")
  }

  @Test("P42: what is read as an optional type is made by the type in it")
  func optionalTypes() throws {
    #expect(try device.value(forKey: "modeCode", as: Mode?.self) == .some(.off))
    #expect(try device.value(forKey: "price", as: Money??.self) == Money(cents: 199))
    var history: [Mode??] = []
    let token = try device.observe("modeCode", as: Mode?.self, options: .new) { _, change in
      history.append(change.newValue ?? nil)
    }
    device.modeCode = 1
    device.modeCode = 7
    #expect(history == [.some(.on), nil])
    token.invalidate()
  }

  @Test("P2: what is observed as a type is present and nil where it stands for no value")
  func observing() throws {
    var history: [KeyValueChange<Mode?>] = []
    let token = try device.observe(
      "modeCode", as: Mode.self, options: [.initial, .new, .old, .prior]
    ) { device, change in
      history.append(change)
    }
    device.modeCode = 1
    device.modeCode = 7
    #expect(
      history == [
        KeyValueChange(newValue: .some(.off)),
        KeyValueChange(oldValue: .some(.off), isPrior: true),
        KeyValueChange(newValue: .some(.on), oldValue: .some(.off)),
        KeyValueChange(oldValue: .some(.on), isPrior: true),
        KeyValueChange(newValue: .some(nil), oldValue: .some(.on)),
      ])
    token.invalidate()
    device.modeCode = 0
    #expect(history.count == 5)
  }

  @Test("P2, P26: what was not asked for is absent, and the reason is the change's own")
  func observingWithoutValues() throws {
    var history: [KeyValueChange<Money?>] = []
    let token = try device.observe("next.price", as: Money.self) { _, change in
      history.append(change)
    }
    device.next = Device()
    device.next?.price = "3"
    #expect(history == [KeyValueChange(reason: .pathChanged), KeyValueChange()])
    token.invalidate()
  }

  @Test("P40: a value observed as a type on the main actor is received there")
  @MainActor
  func mainActor() throws {
    let node = SharedNode()
    var received: [Int?] = []
    let token = try node.observe("value", as: Int.self, options: .new) { _, change in
      received.append(change.newValue ?? nil)
    }
    elsewhere { node.value = 1 }
    #expect(received == [])
    node.value = 2
    #expect(received == [1, 2])
    token.invalidate()
  }

  @Test("P6: a key that is not there is an error, whatever it would be read as")
  func undefinedKey() {
    let error = KeyValueCodingError.undefinedKey(
      "modeCod", type: Device.self, suggestion: "modeCode")
    #expect(throws: error) { try device.value(forKey: "modeCod", as: Mode.self) }
    #expect(throws: error) { _ = try device.observe("modeCod", as: Mode.self) { _, _ in } }
  }

  @Test("A value that no value of the type can be made from reads as nil, with one diagnostic")
  func unrepresentable() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let device = Device()
      let mode = try device.value(forKey: "price", as: Mode.self)
      #expect(mode == nil)
      let optional = try device.value(forKey: "price", as: Mode?.self)
      #expect(optional == nil)
      #expect(
        Diagnostics.take() == [
          """
          Device.price: a value of type String cannot be read as Mode, so nil is delivered. Read \
          it as String, or conform Mode to KVORepresentable with KVOType == String.
          """,
          """
          Device.price: a value of type String cannot be read as Mode, so nil is delivered. Read \
          it as String, or conform Mode to KVORepresentable with KVOType == String.
          """,
        ])
      device.modeCode = 7
      device.price = "cheap"
      let caseless = try device.value(forKey: "modeCode", as: Mode.self)
      let malformed = try device.value(forKey: "price", as: Money.self)
      let missing = try device.value(forKey: "next", as: Money.self)
      #expect(caseless == nil && malformed == nil && missing == nil)
      #expect(Diagnostics.take() == [])
    }
  }
}

private enum Mode: Int {
  case off, on
}

private enum Narrow: UInt32 {
  case first, second
}

private enum Wide: UInt64 {
  case first, second
  case widest = 5_000_000_000
}

private struct Percentage: KVORepresentable {
  let share: Double
  init?(KVOValue percent: Double) { share = percent / 100 }
}

private enum Channel: String, KVORepresentable {
  case left, right
}

/// Kept by its property as a decimal number in a string.
private struct Money: KVORepresentable, Equatable {
  let cents: Int

  init(cents: Int) {
    self.cents = cents
  }

  init?(KVOValue text: String) {
    guard let units = Double(text) else { return nil }
    cents = Int((units * 100).rounded())
  }
}

@KeyValueObservable
private final class Device {
  var modeCode = 0
  var channelName = "left"
  var mode = Mode.on
  var price = "1.99"
  var level: Int32 = 7
  var levels: [Int32] = [1, 2]
  var wide = Wide.second
  var next: Device?
}
