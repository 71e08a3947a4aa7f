import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Numbers that are Foundation's")
struct DecimalTests {
  private let cart = Cart(Decimal(string: "0.1")!, Decimal(string: "0.2")!, 3)

  @Test("P42 N-35: a number becomes a Decimal that has exactly its value")
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

  @Test("P42 Q-02: a sum of Decimals is an exact Decimal, whatever numbers are among them")
  func sum() throws {
    #expect(try cart.value(forKeyPath: "items.@sum.price") as? Decimal == Decimal(string: "3.3")!)
    #expect(try cart.value(forKeyPath: "items.@sum.discount") as? Int == 0)
    cart.items[0].discount = 2
    #expect(try cart.value(forKeyPath: "items.@sum.discount") as? Decimal == 2)
    cart.anything = [1, Decimal(2), nil, 0.5] as [Any?]
    let sum = try cart.value(forKeyPath: "anything.@sum.self")
    #expect(sum as? Decimal == Decimal(string: "3.5")!)
  }

  @Test("P42 Q-05: the average of Decimals is a Double")
  func average() throws {
    #expect(try cart.value(forKeyPath: "items.@avg.price") as? Double == 3.3 / 3)
    cart.anything = [Decimal.nan]
    #expect(try (cart.value(forKeyPath: "anything.@avg.self") as? Double)?.isNaN == true)
  }

  @Test("P42 Q-07: the least and the greatest of Decimals are Decimals")
  func extremes() throws {
    #expect(try cart.value(forKeyPath: "items.@max.price") as? Decimal == 3)
    #expect(
      try cart.value(forKeyPath: "items.@min.price") as? Decimal == Decimal(string: "0.1")!)
  }

  @Test("P42: what does not become a Decimal is not added to one")
  func refusal() {
    cart.anything = [Decimal(1), "two"] as [Any]
    let error = KeyValueCodingError.invalidOperand(
      keyPath: "anything.@sum.self",
      reason: """
        '@sum' takes numbers of one kind, and "two" is of type String; name a key whose values are \
        numbers of one kind
        """)
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
private final class Cart {
  var items: [Item]
  var anything: Any?

  init(_ prices: Decimal...) {
    items = prices.map { Item($0) }
  }
}
