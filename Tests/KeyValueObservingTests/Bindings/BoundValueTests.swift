import KeyValueObserving
import Testing

@KeyValueObservable
private final class Leaf {
  let serial = 7
}

@KeyValueObservable
private final class Branch {
  var leaf: Leaf? {
    didSet { setCount += 1 }
  }
  @KeyValueIgnored var setCount = 0
}

/// Values of bound sides, and what depends on them.
@Suite struct BoundValueTests {
  private let recorder = Recorder()

  @Test("P63: an object is written once, however often the same one is set")
  func identity() {
    let (first, second) = (Branch(), Branch())
    let binding = first.bind(\.leaf, to: second, \.leaf)
    second.setCount = 0
    let leaf = Leaf()
    first.leaf = leaf
    first.leaf = leaf
    second.leaf = leaf
    #expect(second.leaf === leaf)
    #expect((first.setCount, second.setCount) == (2, 2))
    first.leaf = Leaf()
    #expect(second.leaf === first.leaf)
    #expect((first.setCount, second.setCount) == (3, 3))
    withExtendedLifetime(binding) {}
  }

  @Test("P64: a key that is computed from both sides changes once")
  func computedFromBoth() {
    let deposit = Deposit()
    let binding = deposit.bind(\.x, to: deposit, \.y)
    let token = deposit.observe(
      \.sum, options: [.old, .new], changeHandler: recorder.receives("sum"))
    deposit.x = 3
    deposit.y = 4
    #expect(recorder.take() == ["sum 0→6", "sum 6→8"])
    withKeyValueTransaction {
      deposit.x = 1
      deposit.y = 2
    }
    #expect(recorder.take() == ["sum 8→4"])
    withExtendedLifetime((binding, token)) {}
  }

  @Test("P67: a typed key path through nil cannot be bound where its last key cannot be set")
  func readOnlyPath() {
    let (branch, deposit) = (Branch(), Deposit())
    branch.leaf = Leaf()
    #expect(throws: KeyValueCodingError.readOnly(type: Leaf.self, key: "serial")) {
      _ = try branch.bind(\.leaf?.serial, to: deposit, \.x)
    }
    #expect(deposit.x == 0)
  }
}
