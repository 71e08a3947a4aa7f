import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Numbers that are Foundation's")
struct DecimalTests {
  private let cart = Cart(Decimal(string: "0.1")!, Decimal(string: "0.2")!, 3)

  @Test("P42: a number becomes a Decimal that has exactly its value")
  func conversion() throws {
    let item = cart.items[0]
    for (value, decimal) in [
      (5, 5), (UInt8(7), 7), (true, 1), (2.0, 2), (0.1, Decimal(string: "0.1")!),
      (Float(-0.75), Decimal(string: "-0.75")!), (Decimal(9), 9),
    ] as [(Any, Decimal)] {
      try item.setValue(value, forKey: "price")
      #expect(item.price == decimal)
      try item.setValue(value, forKey: "discount")
      #expect(item.discount == decimal)
    }
    for value in [Double.pi, 1e300, Double.infinity, Double.nan, "5"] as [Any] {
      #expect(throws: KeyValueCodingError.self) { try item.setValue(value, forKey: "price") }
    }
    #expect(item.price == 9)
  }

  @Test("P42: a Decimal becomes another type of number that has exactly its value")
  func conversionBack() throws {
    let limits = Limits()
    for value in [Decimal(3), NSDecimalNumber(value: 3), NSNumber(value: 3)] as [Any] {
      for key in ["small", "wide", "double", "exact"] {
        try limits.setValue(nil, forKey: key)
        try limits.setValue(value, forKey: key)
      }
      #expect(limits.small == 3 && limits.wide == 3 && limits.double == 3 && limits.exact == 3)
    }
    for value in [Decimal(string: "0.1")!, 0.1, NSNumber(value: 0.1)] as [Any] {
      try limits.setValue(value, forKey: "double")
      try limits.setValue(value, forKey: "exact")
      #expect(limits.double == 0.1 && limits.exact == Decimal(string: "0.1")!)
      #expect(throws: KeyValueCodingError.self) { try limits.setValue(value, forKey: "wide") }
    }
    let wide = try #require(Decimal(string: "170141183460469231731687303715884105727"))
    try limits.setValue(wide, forKey: "wide")
    #expect(limits.wide == .max)
    let long = try #require(Decimal(string: "0.12345678901234567890123"))
    for value in [long, wide, Decimal(300), Decimal.nan] {
      #expect(throws: KeyValueCodingError.self) { try limits.setValue(value, forKey: "small") }
    }
    #expect(throws: KeyValueCodingError.self) { try limits.setValue(long, forKey: "double") }
    #expect(limits.small == 3 && limits.double == 0.1)
  }

  @Test("P42: a sum of Decimals is an exact Decimal, whatever numbers are among them")
  func sum() throws {
    #expect(try cart.value(forKeyPath: "items.@sum.price") as? Decimal == Decimal(string: "3.3")!)
    #expect(try cart.value(forKeyPath: "items.@sum.discount") as? Int == 0)
    cart.items[0].discount = 2
    #expect(try cart.value(forKeyPath: "items.@sum.discount") as? Decimal == 2)
    cart.anything = [1, Decimal(2), nil, 0.5] as [Any?]
    let sum = try cart.value(forKeyPath: "anything.@sum.self")
    #expect(sum as? Decimal == Decimal(string: "3.5")!)
    cart.anything = [Decimal(2), NSNumber(value: 1.5)] as [Any]
    #expect(
      try cart.value(forKeyPath: "anything.@sum.self") as? Decimal == Decimal(string: "3.5")!)
  }

  @Test("P42: the average of Decimals is a Double")
  func average() throws {
    #expect(try cart.value(forKeyPath: "items.@avg.price") as? Double == 3.3 / 3)
    cart.anything = [Decimal.nan]
    #expect(try (cart.value(forKeyPath: "anything.@avg.self") as? Double)?.isNaN == true)
  }

  @Test("P42: the least and the greatest of Decimals are Decimals")
  func extremes() throws {
    #expect(try cart.value(forKeyPath: "items.@max.price") as? Decimal == 3)
    #expect(
      try cart.value(forKeyPath: "items.@min.price") as? Decimal == Decimal(string: "0.1")!)
  }

  @Test("P42: Decimals are compared with numbers of other types")
  func mixedExtremes() throws {
    let pi = Double.pi
    cart.anything = [3, Decimal(string: "3.5")!, NSNumber(value: -1), pi] as [Any]
    #expect(try cart.value(forKeyPath: "anything.@max.self") as? Decimal == Decimal(string: "3.5")!)
    cart.anything = [NSDecimalNumber(value: 3.5), NSNumber(value: -1)]
    #expect(try cart.value(forKeyPath: "anything.@max.self") as? Double == 3.5)
    cart.anything = [Decimal(3), pi, 2] as [Any]
    #expect(try cart.value(forKeyPath: "anything.@max.self") as? Double == pi)
    #expect(try cart.value(forKeyPath: "anything.@min.self") as? Int == 2)
  }

  @Test("P42: what does not become a Decimal is not added to one")
  func refusal() {
    cart.anything = [Decimal(1), "two"] as [Any]
    let error = KeyValueCodingError.invalidOperand(
      keyPath: "anything.@sum.self",
      reason: .typeMismatch(
        operator: "@sum", expected: "numbers of one kind", actual: String.self, value: "\"two\""))
    #expect(throws: error) { try cart.value(forKeyPath: "anything.@sum.self") }
  }
}

@KeyValueObservable
private final class Item {
  var price: Decimal
  var discount: Decimal?

  init(_ price: Decimal) {
    self.price = price
  }
}

@KeyValueObservable
private final class Limits {
  var small: Int8?
  var wide: Int128?
  var double: Double?
  var exact: Decimal?
}

@KeyValueObservable
private final class Cart {
  var items: [Item]
  var anything: Any?

  init(_ prices: Decimal...) {
    items = prices.map { Item($0) }
  }
}
