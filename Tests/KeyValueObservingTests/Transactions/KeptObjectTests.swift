import KeyValueObserving
import Testing

/// Sets properties in its `deinit`.
@KeyValueObservable
private final class Guest {
  var level = 0
  var marks: [Int] = []
  @KeyValueIgnored private let book: Deposit

  init(in book: Deposit) { self.book = book }

  deinit {
    level = 1
    level += 1
    book.x += 1
  }
}

@KeyValueObservable
private final class House {
  var guest: Guest?
}

@KeyValueObservable
private final class Window {
  var count = 0
  var width = 0.0
}

/// Objects that a transaction keeps, and those that are deallocated in it.
@Suite struct KeptObjectTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test(
    "P54: every value that was replaced lives until the end, observed or not",
    arguments: [false, true], [false, true])
  func replacedValues(isObserved: Bool, isRolledBack: Bool) {
    let (deposit, other) = (Deposit(), Deposit())
    for object in [deposit, other] { object.next = Deposit() }
    weak let first = deposit.next
    weak let unobserved = other.next
    weak var second: Deposit?
    let tokens =
      isObserved
      ? [
        deposit.observe(\.x) { [recorder] _, _ in
          recorder.write("\(first != nil) \(second != nil) \(unobserved != nil)")
        }
      ] : []
    try? withKeyValueTransaction {
      deposit.x = 1
      deposit.next = Deposit()
      second = deposit.next
      other.next = nil
      try? withKeyValueTransaction {
        deposit.next = nil
        throw Refused()
      }
      #expect(first != nil && deposit.next === second && unobserved != nil)
      withKeyValueTransaction { deposit.next = nil }
      #expect(first != nil && second != nil)
      if isRolledBack { throw Refused() }
    }
    #expect(recorder.take() == (isObserved && !isRolledBack ? ["true true true"] : []))
    #expect((first != nil) == isRolledBack)
    #expect((unobserved != nil) == isRolledBack)
    #expect(second == nil)
    withExtendedLifetime((tokens, deposit, other)) {}
  }

  @Test(
    "P54: what an object sets of its own in its `deinit` is delivered at once, and never put back",
    arguments: [false, true])
  func setsInDeinit(isRolledBack: Bool) {
    let book = Deposit()
    var guest: Guest? = Guest(in: book)
    let tokens = [
      guest!.observe(\.level, options: options, changeHandler: recorder.receives("level")),
      book.observe(\.x, options: options, changeHandler: recorder.receives("x")),
    ]
    try? withKeyValueTransaction {
      book.y = 1
      guest = nil
      #expect(recorder.take() == ["level 0→1", "level 1→2"])
      // Other objects can be kept.
      #expect(book.x == 1)
      if isRolledBack { throw Refused() }
    }
    #expect(recorder.take() == (isRolledBack ? [] : ["x 0→1"]))
    #expect(book.x == (isRolledBack ? 0 : 1))
    withExtendedLifetime((tokens, guest)) {}
  }

  @Test("P54: an object that was changed, or replaced, is deallocated behind the delivery")
  func deallocatedAtEnd() {
    let (book, house) = (Deposit(), House())
    house.guest = Guest(in: book)
    let tokens = [
      house.guest!.observe(\.level, options: options, changeHandler: recorder.receives("level")),
      house.observe(\.guest) { [recorder] _, _ in recorder.write("guest") },
      book.observe(\.x, options: options, changeHandler: recorder.receives("x")),
    ]
    withKeyValueTransaction {
      house.guest!.level = 7
      house.guest = nil
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["level 0→7", "guest", "level 7→1", "level 1→2", "x 0→1"])
    withExtendedLifetime((tokens, house)) {}
  }

  @Test(
    "P44, P50: values of transactions that follow each other do not mix, of whatever types they are",
    arguments: [KeyValueTransactionErrorPolicy.rollBack, .deliver])
  func valuesOfOtherTypes(policy: KeyValueTransactionErrorPolicy) {
    let window = Window()
    let tokens = [
      window.observe(\.count, options: options, changeHandler: recorder.receives("count")),
      window.observe(\.width, options: options, changeHandler: recorder.receives("width")),
    ]
    for value in 1...3 {
      withKeyValueTransaction(onError: policy) { window.count = value }
      #expect(recorder.take() == ["count \(value - 1)→\(value)"])
      withKeyValueTransaction(onError: policy) { window.width = Double(value) }
      #expect(recorder.take() == ["width \(Double(value - 1))→\(Double(value))"])
      try? withKeyValueTransaction {
        window.width = -1
        window.count = -1
        throw Refused()
      }
      #expect(recorder.take() == [])
      #expect(window.count == value && window.width == Double(value))
    }
    withExtendedLifetime(tokens) {}
  }
}
