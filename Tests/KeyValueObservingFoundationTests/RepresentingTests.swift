import KeyValueObservingFoundation
import TestSupport
import Testing

@Suite("Reading a property as another type")
struct RepresentingTests {
  private let device = Device()

  @Test("S-06, X31: a raw value is read as its enum, with and without a conformance")
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

  @Test("P40: what is observed as a type on the main actor is heard there")
  @MainActor
  func mainActor() throws {
    let node = SharedNode()
    var heard: [Int?] = []
    let token = try node.observe("value", as: Int.self, options: .new) { _, change in
      heard.append(change.newValue ?? nil)
    }
    elsewhere { node.value = 1 }
    #expect(heard == [])
    node.value = 2
    #expect(heard == [1, 2])
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
          'price' of Device holds a value of type String, of which none of type Mode can be made, so \
          it reads as nil. Read it as String, or let Mode conform to KVORepresentable with that \
          KVOType.
          """,
          """
          'price' of Device holds a value of type String, of which none of type Mode can be made, so \
          it reads as nil. Read it as String, or let Mode conform to KVORepresentable with that \
          KVOType.
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
  var next: Device?
}
