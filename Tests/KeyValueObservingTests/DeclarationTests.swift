import KeyValueObserving
import Synchronization
import Testing

extension AllTests {
  @Suite("Declarations")
  struct DeclarationTests {
    private let recorder = Recorder()

    @Test("P8: a class may hold locks and atomics, which have no key")
    func locks() throws {
      let ledger = Ledger()
      let token = ledger.observe(\.total, options: .new, changeHandler: recorder.receives("total"))
      ledger.add(2)
      #expect(recorder.take() == ["total →2"])
      for key in ["lock", "flag", "entries"] {
        #expect(throws: KeyValueCodingError.self) { try ledger.value(forKey: key) }
      }
      token.invalidate()
    }

    @Test("P8, P42: a class may hold a value that cannot be copied, beside properties that notify")
    func noncopyable() throws {
      let box = Strongbox(Ticket(number: 7))
      let owner = StrongboxOwner(box)
      let tokens = [
        box.observe(\.count, options: .new, changeHandler: recorder.receives("count")),
        box.observe(\.title, options: [.old, .new], changeHandler: recorder.receives("title")),
        try owner.observe("box.count", options: .new, changeHandler: recorder.receives("path")),
      ]
      box.count += 1
      try box.setValue(3, forKey: "count")
      #expect(
        recorder.take() == [
          "count →1", "path →1", "title 0 of 7→1 of 7", "count →3", "path →3",
          "title 1 of 7→3 of 7",
        ])
      #expect(throws: KeyValueCodingError.self) { try box.value(forKey: "content") }
      let shelf = Cabinet<Ticket>.Shelf()
      let token = shelf.observe(\.names, options: .new, changeHandler: recorder.receives("names"))
      shelf.names.append("a")
      #expect(recorder.take() == [#"names →["a"]"#])
      withExtendedLifetime((tokens, token)) {}
    }

    @Test("P8, P42: a class may declare its registrar itself, which has no key")
    func ownRegistrar() throws {
      let crate = Crate()
      let token = crate.observe(\.weight, options: .new, changeHandler: recorder.receives("weight"))
      crate.weight = 3
      #expect(recorder.take() == ["weight →3"])
      #expect(throws: KeyValueCodingError.self) { try crate.value(forKey: "keyValueRegistrar") }
      token.invalidate()
    }

    @Test("P8: the name of a property may have quotes in it")
    func quotes() throws {
      let label = Label()
      let token = try label.observe("the \"best\" one", options: .new) { _, change in
        self.recorder.write("\((change.newValue ?? nil) ?? "nil")")
      }
      label.`the "best" one` = 2
      #expect(recorder.take() == ["2"])
      token.invalidate()
    }

    @Test("P15: a set of an unowned property reads its former object only for who asks for old")
    func unowned() {
      var host: Inlined? = Inlined()
      let guest = Guest(host!)
      let name = guest.observe(\.name) { _, _ in }
      host = nil
      let second = Inlined()
      guest.host = second
      let hosts = guest.observe(\.host, options: .new, changeHandler: recorder.receives("host"))
      guest.host = second
      #expect(recorder.take().count == 1 && guest.host === second)
      withExtendedLifetime((name, hosts)) {}
    }

    @Test("P8: static and class variables stay as they are and have no key")
    func typeVariables() throws {
      let gauge = Cistern.shared
      let token = gauge.observe(\.level, options: .new, changeHandler: recorder.receives("level"))
      gauge.fill()
      #expect(recorder.take() == ["level →1"])
      #expect(Cistern.fillCount == 1 && Cistern.unit == "l")
      for key in ["fillCount", "shared", "unit"] {
        #expect(throws: KeyValueCodingError.self) { try gauge.value(forKey: key) }
      }
      token.invalidate()
    }

    @Test("P8: code that is inlined into other modules may use a class")
    func usableFromInline() {
      let inlined = Inlined()
      let token = inlined.observe(\.count, options: .new, changeHandler: recorder.receives("count"))
      inlined.increment()
      #expect(recorder.take() == ["count →1"])
      token.invalidate()
    }
  }
}

private struct Ticket: ~Copyable {
  let number: Int
}

@KeyValueObservable
private final class Strongbox<Content: ~Copyable> {
  @KeyValueIgnored var content: Content
  var count = 0
  private let number: (borrowing Content) -> Int
  var title: String { "\(count) of \(number(content))" }

  init(_ content: consuming Content) where Content == Ticket {
    self.content = content
    number = { $0.number }
  }
}

private enum Cabinet<Content: ~Copyable> {
  @KeyValueObservable
  final class Shelf {
    var names: [String] = []
  }
}

@KeyValueObservable
private final class StrongboxOwner {
  var box: Strongbox<Ticket>
  init(_ box: Strongbox<Ticket>) { self.box = box }
}

@KeyValueObservable
private final class Ledger {
  private let lock = Mutex(0)
  let flag: Atomic<Bool> = .init(false)
  let entries = Synchronization.Mutex<[Int]>([])
  private(set) var total = 0

  func add(_ amount: Int) {
    entries.withLock { $0.append(amount) }
    total = lock.withLock { sum in
      sum += amount
      return sum
    }
  }
}

@KeyValueObservable
private final class Label {
  var `the "best" one` = 1
}

@KeyValueObservable
private class Cistern {
  nonisolated(unsafe) static let shared = Cistern()
  nonisolated(unsafe) private(set) static var fillCount = 0, drainCount = 0
  class var unit: String { "l" }
  private(set) var level = 0

  func fill() {
    Cistern.fillCount += 1
    level += 1
  }
}

@usableFromInline
@KeyValueObservable
class Counted {
  @usableFromInline var count = 0

  class func automaticallyNotifiesObserversOfCount() -> Bool { true }
}

@usableFromInline
@KeyValueObservable
final class Inlined: Counted {
  @usableFromInline var step = 1

  @inlinable
  func increment() { count += step }

  class func keyPathsForValuesAffectingStep() -> Set<String> { [] }
}

@KeyValueObservable
private final class Crate {
  let keyValueRegistrar = KeyValueRegistrar()
  var weight = 0
}

@KeyValueObservable
private final class Guest {
  var name = ""
  unowned var host: Inlined

  init(_ host: Inlined) { self.host = host }
}
