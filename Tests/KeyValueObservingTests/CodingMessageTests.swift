import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Messages about key paths")
  struct CodingMessageTests {
    private let shop = Shop()

    @Test("P42: the error about an operand names the operator that takes it, not the key before")
    func misplacedOperand() {
      let refusals = [
        ("items.@max.@count", "'@count' takes a collection, and '@max' applies it to Item"),
        ("itemSet.@max.@count", "'@count' takes a collection, and '@max' applies it to Item"),
        (
          "optionalItems.@sum.@avg.price",
          "'@avg' takes a collection, and '@sum' applies it to Item"
        ),
        (
          "shelves.@max.@min.@sum.price", "'@sum' takes a collection, and '@min' applies it to Item"
        ),
        ("anything.@sum.@sum.self", "'@sum' takes a collection, and '@sum' applies it to Int"),
      ]
      shop.items = [Item("a")]
      shop.optionalItems = [nil, Item("a")]
      shop.shelves = [[Item("a")]]
      shop.itemSet = [Item("a")]
      shop.anything = [nil, 3] as [Int?]
      for (keyPath, finding) in refusals {
        let description = "'\(keyPath)': \(finding). Put the operator after a collection."
        let reading = thrown(KeyValueCodingError.self) { try shop.value(forKeyPath: keyPath) }
        #expect(reading?.description == description)
        let observing = thrown(KeyValueCodingError.self) { try shop.observe(keyPath) { _, _ in } }
        #expect(observing?.description == description)
      }
    }

    @Test("P42: the error about nil names what holds it, itself or as a member")
    func nilMember() {
      shop.optionalItems = [Item("a"), nil]
      for (keyPath, key) in [
        ("featured.name", "featured"), ("optionalItems.name", "optionalItems"),
      ] {
        let error = thrown(KeyValueCodingError.self) {
          try shop.setValue("x", forKeyPath: keyPath)
        }
        #expect(
          error?.description
            == "'\(keyPath)': '\(key)' holds nil, so there is no object whose value could be set. "
            + "Replace nil with an object first.")
      }
      #expect(shop.optionalItems[0]?.name == "a")
    }
  }
}
