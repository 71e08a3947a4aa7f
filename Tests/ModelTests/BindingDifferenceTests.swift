import KeyValueObserving
import Testing

/// The smallest programs with bindings for which the library did something else than is promised.
@Suite("Known differences of bindings")
struct BindingDifferenceTests {
  private let items: [Item]

  init() {
    let census = Census()
    items = (0..<4).map { Item(number: $0, census: census) }
  }

  @Test("P65, P67: an object that is replaced in a transaction has the ranks of its own sets")
  func replacedObject() throws {
    let (item, one, other) = (items[0], items[1], items[2])
    item.next = one
    let binding = try one.bind("x", to: item, "next.x")
    withKeyValueTransaction {
      item.next = other
      one.x += 2
    }
    #expect([one.x, other.x] == [2, 2])
    withExtendedLifetime(binding) {}
  }

  @Test("P65, P67: an object that is replaced takes nothing back that was set in a side of its own")
  func valueOfReplacedObject() throws {
    let (item, target, holder) = (items[0], items[1], items[2])
    holder.next = item
    let bindings = [
      try target.bind("next.x", to: items[3], "x"),
      try holder.bind("mark", to: holder, "next.x"),
    ]
    withKeyValueTransaction {
      holder.mark = 3
      target.next = item
    }
    // As without a transaction.
    #expect([item.x, items[3].x, holder.mark] == [3, 3, 3])
    withExtendedLifetime(bindings) {}
  }

  @Test("P65, P67: a side whose object is gone passes on no rank")
  func missingObject() throws {
    let (one, other) = (items[0], items[1])
    one.next = items[2]
    let bindings = [try one.bind("x", to: one, "next.x"), one.bind(\.x, to: other, \.x)]
    withKeyValueTransaction {
      other.x = 3
      one.next = nil
    }
    #expect([one.x, other.x] == [3, 3])
    withExtendedLifetime(bindings) {}
  }

  @Test(
    "P63, P67: a path that led elsewhere in a transaction that was rolled back writes the other side",
    arguments: [false, true], [2, 3])
  func pathOfRolledBackTransaction(isOneWay: Bool, index: Int) throws {
    let (holder, former, other) = (items[0], items[1], items[2])
    holder.next = former
    (former.x, other.x) = (1, 2)
    var binding: KeyValueBinding?
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        holder.next = items[index]
        binding =
          try isOneWay
          ? holder.bind(\.next?.x, to: other, \.x, .oneWay, converting: { $0 })
          : holder.bind("next.x", to: other, "x")
        throw Refusal()
      }
    }
    #expect([former.x, other.x] == [1, 1])
    withExtendedLifetime(binding) {}
  }

  @Test("P63, P65: a side that agrees with a later set takes back an earlier one behind a path")
  func agreementBehindPath() throws {
    let (item, target) = (items[0], items[1])
    let bindings = [
      try item.bind("next.x", to: item, "y"), try item.bind("next.x", to: item, "x"),
      item.bind(\.y, to: target, \.mark),
    ]
    item.next = target
    withKeyValueTransaction {
      item.withMutation(of: \.next) {}
      item.x = 1
      target.mark = 0
    }
    #expect(item.y == target.x && item.x == target.x && item.y == target.mark)
    withExtendedLifetime(bindings) {}
  }
}
