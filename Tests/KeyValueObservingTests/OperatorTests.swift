import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Collection operators")
  struct OperatorTests {
    private let shop = Shop(
      Item("b", price: 3, weight: 0.5, tags: ["x", "y"], codes: [1, 2]),
      Item(nil, price: 1, weight: nil, tags: [], codes: []),
      Item("a", price: 3, weight: 2, tags: ["y"], codes: [2]))

    private func holding(_ values: Any?) -> Shop {
      let shop = Shop()
      shop.anything = values
      return shop
    }

    private func value(_ keyPath: String) throws -> Any? { try shop.value(forKeyPath: keyPath) }

    // MARK: Numbers

    @Test("P42: @count is the number of members, 0 for none, whatever stands behind it")
    func count() throws {
      #expect(same(try value("items.@count"), 3))
      #expect(same(try value("shelves.@count"), 0))
      #expect(same(try value("items.@count.nonsense"), 3))
      #expect(same(try value("items.@count.@count"), 3))
      #expect(same(try holding(["a", nil] as [String?]).value(forKeyPath: "anything.@count"), 2))
    }

    @Test("P42: @sum counts nil as 0, is 0 for none, and stays an Int")
    func sum() throws {
      #expect(same(try value("items.@sum.price"), 7))
      #expect(same(try value("shelves.@sum.price"), 0))
      #expect(same(try value("items.@sum.weight"), 2.5))
      #expect(
        same(
          try holding([1, nil, UInt8(2), true] as [Any?]).value(forKeyPath: "anything.@sum.self"), 4
        ))
      #expect(same(try holding([1, 0.5] as [Any]).value(forKeyPath: "anything.@sum.self"), 1.5))
      #expect(same(try holding([Float(1)]).value(forKeyPath: "anything.@sum.self"), 1.0))
    }

    @Test("P42: @sum hardly depends on the order of floating-point numbers")
    func compensatedSum() throws {
      let tenths = Array(repeating: 0.1, count: 10)
      #expect(tenths.reduce(0, +) != 1)
      #expect(same(try holding(tenths).value(forKeyPath: "anything.@sum.self"), 1.0))
      for values in [[1e100, 1, -1e100], [1, 1e100, -1e100], [1e100, -1e100, 1]] {
        #expect(same(try holding(values).value(forKeyPath: "anything.@sum.self"), 1.0))
      }
      let infinite = [1, Double.infinity, 2]
      #expect(same(try holding(infinite).value(forKeyPath: "anything.@sum.self"), Double.infinity))
    }

    @Test("P42: a sum of integers is exact, or an error where no Int can hold it")
    func overflow() throws {
      let back = [Int.max, 1, -2]
      #expect(same(try holding(back).value(forKeyPath: "anything.@sum.self"), Int.max - 1))
      for values in [[Int.max, 1], [UInt64.max], [Int.min, -1]] as [[any BinaryInteger]] {
        let error = thrown(KeyValueCodingError.self) {
          try holding(values as [Any]).value(forKeyPath: "anything.@sum.self")
        }
        guard case .invalidOperand("anything.@sum.self", _) = error else {
          Issue.record("\(values): \(String(describing: error))")
          continue
        }
      }
      #expect(
        error("anything.@sum.self", of: holding([Int.max, 1]))?.description
          == "'anything.@sum.self': the sum 9223372036854775808 does not fit in an Int. Use '@avg', or "
          + "add up the values that the key path without the operator reads.")
      let average = try holding([Int.max, Int.max]).value(forKeyPath: "anything.@avg.self")
      #expect(same(average, Double(Int.max)))
    }

    @Test("P42: @avg counts nil as 0 in the denominator too, and is nil for none")
    func average() throws {
      #expect(same(try value("items.@avg.weight"), 2.5 / 3))
      #expect(same(try value("items.@avg.price"), 7.0 / 3))
      #expect(try value("shelves.@avg.price") == nil)
    }

    @Test("P42: @min and @max leave nil out, and are nil for none")
    func extremes() throws {
      #expect(same(try value("items.@min.price"), 1))
      #expect(same(try value("items.@max.weight"), 2.0))
      #expect(same(try value("items.@max.name"), "b"))
      #expect(same(try value("items.@min.name"), "a"))
      #expect(try value("shelves.@max.name") == nil)
      #expect(try value("shelves.@min.name") == nil)
    }

    @Test("P42: @min and @max compare numbers of different types exactly")
    func mixedNumbers() throws {
      let big = (1 << 53) + 1
      let values: [Any] = [Double(1 << 53), big, UInt8(3), 2.5, true]
      let shop = holding(values)
      #expect(same(try shop.value(forKeyPath: "anything.@max.self"), big))
      #expect(same(try shop.value(forKeyPath: "anything.@min.self"), true))
      let infinite: [Any] = [1, -Double.infinity, Double.nan, Double.infinity, UInt64.max]
      #expect(
        same(try holding(infinite).value(forKeyPath: "anything.@max.self"), Double.infinity))
      #expect(
        same(try holding(infinite).value(forKeyPath: "anything.@min.self"), -Double.infinity))
      let negative: [Any] = [-0.5, -1, 0]
      #expect(same(try holding(negative).value(forKeyPath: "anything.@min.self"), -1))
      #expect(same(try holding(negative).value(forKeyPath: "anything.@max.self"), 0))
    }

    @Test("P42: integers of more than 64 bits are summed and compared exactly")
    func wideIntegers() throws {
      let wide = UInt128(1) << 100
      let near: [Any] = [wide, Int128(wide) - 1, 0x1p100.nextDown, -0x1p100, -Int128(wide) - 1]
      #expect(same(try holding(near).value(forKeyPath: "anything.@max.self"), wide))
      #expect(
        same(try holding(near).value(forKeyPath: "anything.@min.self"), -Int128(wide) - 1))
      let back: [Any] = [wide, UInt64.max, -Int128(wide), -Int128(UInt64.max), UInt128.max, 7]
      let error = error("anything.@sum.self", of: holding(back))
      #expect(error?.description.contains("does not fit in an Int") == true)
      let sum = try holding(back + [Int128.min, Int128.min, 1]).value(
        forKeyPath: "anything.@sum.self")
      #expect(same(sum, 7))
      let average = try holding([wide, wide]).value(forKeyPath: "anything.@avg.self")
      #expect(same(average, 0x1p100))
    }

    @Test("P42: what is not a number is left out of @min and @max, wherever it stands")
    func notANumber() throws {
      for values in [[Double.nan, 1, 2], [1, .nan, 2], [2, 1, .nan]] {
        #expect(same(try holding(values).value(forKeyPath: "anything.@max.self"), 2.0))
        #expect(same(try holding(values).value(forKeyPath: "anything.@min.self"), 1.0))
      }
      #expect(try holding([Double.nan]).value(forKeyPath: "anything.@max.self") == nil)
    }

    @Test("P42: @max takes whatever compares with its like")
    func comparable() throws {
      let states = [Types.State.published, .draft]
      #expect(
        same(try holding(states).value(forKeyPath: "anything.@min.self"), Types.State.draft))
    }

    @Test(
      "P42: of equal values the first is the result, and a subclass compares with its superclass"
    )
    func ties() throws {
      #expect(same(try holding([1, 1.0] as [Any]).value(forKeyPath: "anything.@max.self"), 1))
      #expect(same(try holding([1.0, 1] as [Any]).value(forKeyPath: "anything.@min.self"), 1.0))
      for ranks in [[Rank(1), SubRank(2)], [SubRank(2), Rank(1)]] as [[Any]] {
        let greatest = try holding(ranks).value(forKeyPath: "anything.@max.self")
        #expect((greatest as? Rank)?.rank == 2)
      }
    }

    @Test("P42: of nothing but nil, @count is n, @sum and @avg are 0, @min and @max nil")
    func nothingButNil() throws {
      let shop = holding([nil, nil] as [Int?])
      #expect(same(try shop.value(forKeyPath: "anything.@count"), 2))
      #expect(same(try shop.value(forKeyPath: "anything.@sum.self"), 0))
      #expect(same(try shop.value(forKeyPath: "anything.@avg.self"), 0.0))
      #expect(try shop.value(forKeyPath: "anything.@max.self") == nil)
      #expect(try shop.value(forKeyPath: "anything.@min.self") == nil)
      let set = holding([nil, 4] as Set<Int?>)
      #expect(same(try set.value(forKeyPath: "anything.@count"), 2))
      #expect(same(try set.value(forKeyPath: "anything.@avg.self"), 2.0))
    }

    // MARK: What they cannot take

    private func error(_ keyPath: String, of shop: Shop) -> KeyValueCodingError? {
      thrown { try shop.value(forKeyPath: keyPath) }
    }

    @Test("P42: values that do not add up or compare are an error that names them")
    func operands() {
      #expect(
        error("items.@sum.name", of: shop)
          == .invalidOperand(
            keyPath: "items.@sum.name",
            reason: .typeMismatch(
              operator: "@sum", expected: "numbers", actual: String.self, value: "\"b\"")))
      #expect(
        error("anything.@sum.price", of: holding([[Item(nil, price: 3)]]))
          == .invalidOperand(
            keyPath: "anything.@sum.price",
            reason: .typeMismatch(
              operator: "@sum", expected: "numbers", actual: [Any?].self, value: "[Optional(3)]")))
      #expect(
        error("anything.@avg.self", of: holding([1, "2"] as [Any]))
          == .invalidOperand(
            keyPath: "anything.@avg.self",
            reason: .typeMismatch(
              operator: "@avg", expected: "numbers", actual: String.self, value: "\"2\"")))
      #expect(
        error("anything.@max.self", of: holding([1, "2"] as [Any]))?.description
          == "'anything.@max.self': '@max' cannot compare \"2\" of type String with 1 of type Int. Name "
          + "a key whose values are of one kind.")
      for found in ["sum", "avg", "min", "max"] {
        let opaque = holding([Opaque()])
        guard case .invalidOperand = error("anything.@\(found).self", of: opaque) else {
          Issue.record("@\(found) took an opaque value")
          continue
        }
      }
    }

    @Test(
      "P42: an operator that is unknown or lacks its operand is an invalid key path",
      arguments: [
        "items.@foobar.name", "items.@", "@", "items.@sum", "items.@sum.@avg", "items.@Count",
        "items.@sum.@self", "@.@", "items.@unionOfSets.codes", "items.@firstObject",
        "items.@count.",
        "items..@count", "items.@sum..price", "items.@\u{301}count", "items.@käse.name",
      ])
    func invalid(keyPath: String) {
      guard case .invalidKeyPath(keyPath, _) = error(keyPath, of: shop) else {
        Issue.record("\(String(describing: error(keyPath, of: shop)))")
        return
      }
    }

    @Test("P42: the error about an unknown operator names the nearest one")
    func suggestion() {
      #expect(
        error("items.@summ.price", of: shop)?.description
          == "'items.@summ.price': there is no collection operator '@summ'. Did you mean '@sum'?")
      #expect(
        error("items.@sum", of: shop)?.description
          == "'items.@sum': '@sum' needs a key path after it. Append the key path of its operands, or "
          + "'self' for the elements themselves.")
    }

    @Test(
      "P42: an operator on what is no collection is an invalid key path",
      arguments: [
        "@count", "@sum.items", "featured.@count", "featured.name.@count", "items.@max.name.@count",
        "settings.@sum.self", "anything.@count",
      ])
    func misplaced(keyPath: String) {
      shop.featured = Item("a")
      shop.anything = "text"
      guard case .invalidKeyPath(keyPath, _) = error(keyPath, of: shop) else {
        Issue.record("\(String(describing: error(keyPath, of: shop)))")
        return
      }
      #expect(
        error("featured.name.@count", of: shop)?.description
          == "'featured.name.@count': '@count' takes a collection, and 'name' holds String. Put the "
          + "operator after a collection.")
    }

    @Test("P42: an operator on a nil left value is nil")
    func nilLeft() throws {
      #expect(try value("anything.@count") == nil)
      #expect(try value("featured.tags.@max.self") == nil)
    }

    // MARK: Where they stand

    @Test("P42: all that stands right of an operator is its operand")
    func middle() throws {
      shop.shelves = [[Item("a", price: 1), Item("b", price: 5)], [Item("c", price: 3)], []]
      #expect(same(try value("shelves.@max.@count"), 2))
      #expect(same(try value("shelves.@sum.@sum.price"), 9))
      #expect(same(try value("shelves.@max.@avg.price"), 3.0))
      #expect(try value("items.@unionOfObjects.tags.@count") as? [Int] == [2, 0, 1])
    }

    @Test("P42: operands may hold operators, over numbers themselves too")
    func nested() throws {
      let numbers = holding([[1, 2], [3]])
      #expect(same(try numbers.value(forKeyPath: "anything.@sum.@sum.self"), 6))
      #expect(same(try numbers.value(forKeyPath: "anything.@avg.@max.self"), 2.5))
    }

    @Test("P42: keys before an operator are mapped first")
    func mappedFirst() throws {
      #expect(same(try value("items.name.@count"), 3))
      #expect(same(try value("items.tags.@count"), 3))
      #expect(same(try value("items.price.@sum.self"), 7))
    }

    // MARK: Unions

    @Test("P42: @unionOfObjects keeps order and duplicates and leaves nil out")
    func unionOfObjects() throws {
      #expect(try value("items.@unionOfObjects.price") as? [Int] == [3, 1, 3])
      #expect(try value("items.@unionOfObjects.name") as? [String] == ["b", "a"])
      #expect(try value("shelves.@unionOfObjects.name") as? [String] == [])
    }

    @Test("P42: @distinctUnionOfObjects keeps the first of equal values, in order")
    func distinctUnionOfObjects() throws {
      #expect(try value("items.@distinctUnionOfObjects.price") as? [Int] == [3, 1])
      #expect(try value("items.@distinctUnionOfObjects.name") as? [String] == ["b", "a"])
      #expect(try value("shelves.@distinctUnionOfObjects.name") as? [String] == [])
      let mixed: [Any?] = [1, 1.0, "1", nil, Frame(), Frame(), Opaque(), Opaque()]
      let distinct = try holding(mixed).value(forKeyPath: "anything.@distinctUnionOfObjects.self")
      #expect((distinct as? [Any?])?.count == 5)
    }

    @Test("P42: arrays and sets that a path has made are equal if their members are")
    func distinctCollections() throws {
      shop.shelves = [[Item("a"), Item(nil)], [Item("a"), Item(nil)], [Item(nil)]]
      let names = try value("shelves.@distinctUnionOfObjects.name") as? [[String?]]
      #expect(names == [["a", nil], [nil]])
      // Two sets of twenty objects hardly stand in the same order.
      let letters = (0..<20).map { "\($0)" }
      shop.anything = [letters, letters].map { Set($0.map { Item($0) }) }
      let sets = try value("anything.@distinctUnionOfObjects.name") as? [Set<String>]
      #expect(sets == [Set(letters)])
    }

    @Test("P42: objects that cannot be compared are equal if they are the same")
    func identity() throws {
      let (one, other) = (Place(), Place())
      let distinct = try holding([one, other, one]).value(
        forKeyPath: "anything.@distinctUnionOfObjects.self")
      #expect(
        (distinct as? [Place])?.map(ObjectIdentifier.init)
          == [one, other].map(ObjectIdentifier.init))
    }

    @Test("P42: unions of arrays join what the operand is for each member")
    func unionOfArrays() throws {
      shop.shelves = [[Item("a"), Item("b")], [], [Item("a"), Item(nil)]]
      #expect(try value("shelves.@unionOfArrays.name") as? [String] == ["a", "b", "a"])
      #expect(try value("shelves.@distinctUnionOfArrays.name") as? [String] == ["a", "b"])
      #expect(try value("items.@unionOfArrays.tags") as? [String] == ["x", "y", "y"])
      #expect(try value("items.@distinctUnionOfArrays.tags") as? [String] == ["x", "y"])
      #expect(try Shop().value(forKeyPath: "items.@unionOfArrays.tags") as? [String] == [])
    }

    @Test("P42: @distinctUnionOfSets is a set")
    func distinctUnionOfSets() throws {
      #expect(try value("items.@distinctUnionOfSets.codes") as? Set<Int> == [1, 2])
      #expect(try Shop().value(forKeyPath: "items.@distinctUnionOfSets.codes") as? Set<Int> == [])
    }

    @Test("P42: a member of the wrong kind is an error in a union, nil is not")
    func unionOperands() throws {
      let mixed = holding([[1], nil, [2]] as [[Int]?])
      #expect(try mixed.value(forKeyPath: "anything.@unionOfArrays.self") as? [Int] == [1, 2])
      #expect(
        error("items.@unionOfArrays.price", of: shop)
          == .invalidOperand(
            keyPath: "items.@unionOfArrays.price",
            reason: .typeMismatch(
              operator: "@unionOfArrays", expected: "arrays", actual: Int.self, value: "3")))
      guard case .invalidOperand = error("items.@distinctUnionOfSets.tags", of: shop),
        case .invalidOperand = error("items.@distinctUnionOfArrays.codes", of: shop)
      else {
        Issue.record("Arrays and sets were taken for one another")
        return
      }
    }

    @Test("P42: all operators take sets")
    func sets() throws {
      shop.itemSet = Set(shop.items)
      #expect(same(try value("itemSet.@count"), 3))
      #expect(same(try value("itemSet.@sum.price"), 7))
      #expect(same(try value("itemSet.@avg.price"), 7.0 / 3))
      #expect(same(try value("itemSet.@max.price"), 3))
      #expect(same(try value("itemSet.@min.name"), "a"))
      let prices = try value("itemSet.@unionOfObjects.price") as? [Int]
      #expect(prices?.sorted() == [1, 3, 3])
      let distinct = try value("itemSet.@distinctUnionOfObjects.price") as? [Int]
      #expect(distinct?.sorted() == [1, 3])
      #expect(try value("itemSet.@distinctUnionOfSets.codes") as? Set<Int> == [1, 2])
    }

    @Test("P42: a dictionary has a count and no other operator")
    func dictionaries() throws {
      shop.settings = ["a": 1, "b": 2]
      #expect(same(try value("settings.@count"), 2))
    }
  }
}

private class Rank: Comparable {
  let rank: Int
  init(_ rank: Int) { self.rank = rank }
  static func == (left: Rank, right: Rank) -> Bool { left.rank == right.rank }
  static func < (left: Rank, right: Rank) -> Bool { left.rank < right.rank }
}

private final class SubRank: Rank {}
