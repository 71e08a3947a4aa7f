import KeyValueObserving
import Testing

private struct Failure: Error {}

@KeyValueObservable
private final class Name {
  var first = "Ada"
  var last = "King"
  @KeyValueIgnored var raw = 0
  var whole: String { "\(first) \(last)" }
  var length: Int { whole.count }
  var tags: [String] = ["a", "b"]
  var marks: Set<Int> = [1, 2]
  /// Backed by storage that does not notify.
  var backed: Int {
    get { raw }
    set { raw = newValue }
  }
}

/// Notifies of its number manually, because its storage is not observable.
@KeyValueObservable
private final class Stack {
  @KeyValueIgnored var elements: [Int] = []
  var count: Int { elements.count }
  @KeyValueDependent(on: "count") var isEmpty: Bool { count == 0 }
  @KeyValueDependent(on: "isEmpty") var isFull: Bool { !isEmpty }
  var next: Stack?
  @KeyValueDependent(on: "next.count") var nextCount: Int? { next?.count }
  var stacks: [Stack] = []

  func push(_ element: Int) { withMutation(of: \.count) { elements.append(element) } }
}

@KeyValueObservable
private final class Owner {
  var name: Name?
  init(_ name: Name) { self.name = name }
}

@KeyValueObservable
private final class Ledger {
  var due = 10
  var paid = 0
  var isSettled: Bool { paid >= due }
  var summary: String { isSettled ? "settled" : "open" }

  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key == "due" }
}

extension AllTests {
  @Suite("Notifying by hand")
  struct MutationTests {
    private let recorder = Recorder()
    private let name = Name()

    @Test("P19: a scope is one change, whatever is set inside")
    func scope() {
      let tokens = [
        name.observe(\.first, options: [.old, .new], changeHandler: recorder.receives("first")),
        name.observe(\.whole, options: [.old, .new], changeHandler: recorder.receives("whole")),
      ]
      let result = name.withMutation(of: \.first) {
        name.first = "b"
        name.withMutation(of: \.first) { name.first = "c" }
        name.willChangeValue(for: \.first)
        name.first = "d"
        name.didChangeValue(for: \.first)
        return 7
      }
      #expect(result == 7)
      #expect(recorder.take() == ["first Ada→d", "whole Ada King→d King"])
      name.first = "e"
      #expect(recorder.take() == ["first d→e", "whole d King→e King"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19: a scope of a computed key holds back what its inputs change")
    func scopeOfComputed() {
      let token = name.observe(
        \.whole, options: [.old, .new, .prior], changeHandler: recorder.receives("whole"))
      name.withMutation(of: \.whole) {
        name.first = "Grace"
        name.last = "Hopper"
      }
      #expect(recorder.take() == ["whole Ada King→ prior", "whole Ada King→Grace Hopper"])
      name.last = "H."
      #expect(recorder.take() == ["whole Grace Hopper→ prior", "whole Grace Hopper→Grace H."])
      token.invalidate()
    }

    @Test("P19: a scope whose body throws delivers its change")
    func throwing() {
      let token = name.observe(\.first, options: .new, changeHandler: recorder.receives("first"))
      #expect(throws: Failure.self) {
        try name.withMutation(of: \.first) {
          name.first = "b"
          throw Failure()
        }
      }
      #expect(recorder.take() == ["first →b"])
      token.invalidate()
    }

    @Test(
      "P19: a mutation block notifies observers of the end of a path, and of intermediate objects")
    func scopeOnPath() {
      let owner = Owner(name)
      let token = owner.observe(
        \.name?.first, options: [.old, .new], changeHandler: recorder.receives("path"))
      name.withMutation(of: \.first) { name.first = "b" }
      let other = Name()
      owner.withMutation(of: \.name) {
        owner.name = nil
        owner.name = other
      }
      other.first = "c"
      name.first = "silent"
      #expect(recorder.take() == ["path Ada→b", "path b→Ada path", "path Ada→c"])
      token.invalidate()
    }

    @Test("P19: an observer added inside a mutation block is not notified of it")
    func lateObserver() {
      var token: KeyValueObservation?
      name.withMutation(of: \.first) {
        token = name.observe(\.first, options: .new, changeHandler: recorder.receives("first"))
        name.first = "b"
      }
      #expect(recorder.take() == [])
      name.first = "c"
      #expect(recorder.take() == ["first →c"])
      withExtendedLifetime(token) {}
    }

    @Test("P19: a pair is one change with the values around it")
    func pair() {
      let token = name.observe(
        \.backed, options: [.old, .new, .prior], changeHandler: recorder.receives("backed"))
      name.willChangeValue(for: \.backed)
      #expect(recorder.take() == ["backed 0→ prior"])
      name.raw = 5
      name.didChangeValue(for: \.backed)
      #expect(recorder.take() == ["backed 0→5"])
      name.willChangeValue(forKey: "backed")
      name.didChangeValue(forKey: "backed")
      #expect(recorder.take() == ["backed 5→ prior", "backed 5→5"])
      token.invalidate()
    }

    @Test("P19: pairs are matched by key, one change for each")
    func crossed() {
      let tokens = [
        name.observe(\.first, options: [.old, .new], changeHandler: recorder.receives("first")),
        name.observe(\.last, options: [.old, .new], changeHandler: recorder.receives("last")),
      ]
      name.willChangeValue(for: \.first)
      name.willChangeValue(for: \.last)
      name.didChangeValue(for: \.first)
      name.didChangeValue(for: \.last)
      #expect(recorder.take() == ["first Ada→Ada", "last King→King"])
      name.willChangeValue(for: \.first)
      name.first = "b"
      name.willChangeValue(for: \.first)
      name.didChangeValue(for: \.first)
      name.didChangeValue(for: \.first)
      #expect(recorder.take() == ["first Ada→b", "first b→b", "first Ada→b"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19: one half of a pair alone changes nothing for what comes after")
    func halves() {
      let owner = Owner(name)
      let tokens = [
        name.observe(\.first, options: [.old, .new], changeHandler: recorder.receives("first")),
        name.observe(\.length, options: [.old, .new], changeHandler: recorder.receives("length")),
        owner.observe(
          \.name?.whole, options: [.old, .new], changeHandler: recorder.receives("path")),
      ]
      name.didChangeValue(for: \.first)
      #expect(recorder.take() == [])
      name.willChangeValue(for: \.first)
      name.first = "Al"
      let expected = ["first Ada→Al", "length 8→7", "path Ada King→Al King"]
      #expect(recorder.take() == expected)
      name.willChangeValue(for: \.first)
      name.didChangeValue(for: \.first)
      #expect(recorder.take() == ["first Al→Al", "length 7→7", "path Al King→Al King"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P32: a pair that is never completed retains nothing")
    func keepsNobody() {
      weak var weakName: Name?
      var released = 0
      do {
        let name = Name()
        weakName = name
        let canary = Canary { released += 1 }
        let ended = name.observe(\.first) { _, _ in withExtendedLifetime(canary) {} }
        let computed = name.observe(\.whole, options: .old) { _, _ in }
        name.willChangeValue(for: \.first)
        ended.invalidate()
        computed.invalidate()
      }
      #expect(released == 1)
      #expect(weakName == nil)
    }

    @Test("P19: observers added or removed between the two calls are not notified")
    func between() {
      func observe(_ observer: String) -> KeyValueObservation {
        name.observe(\.backed, options: .new, changeHandler: recorder.receives(observer))
      }
      let early = (1...6).map { observe("\($0)") }
      name.willChangeValue(for: \.backed)
      // So many that the places of those who stay would be closed up.
      early.prefix(4).forEach { $0.invalidate() }
      let late = observe("late")
      for _ in 0..<20 { observe("gone").invalidate() }
      name.didChangeValue(for: \.backed)
      #expect(recorder.take() == ["5 →0", "6 →0"])
      name.willChangeValue(for: \.backed)
      name.didChangeValue(for: \.backed)
      #expect(recorder.take() == ["5 →0", "6 →0", "late →0"])
      withExtendedLifetime((early, late)) {}
    }

    @Test("P20: a key without automatic notification is notified manually")
    func manualKey() {
      let gauge = Plotted()
      let tokens = [
        gauge.observe(\.level, options: [.old, .new], changeHandler: recorder.receives("level")),
        gauge.observe(\.isOver, options: [.old, .new], changeHandler: recorder.receives("isOver")),
      ]
      gauge.willChangeValue(for: \.level)
      gauge.level = 20
      gauge.didChangeValue(for: \.level)
      #expect(recorder.take() == ["level 0→20", "isOver false→true"])
      gauge.withMutation(of: \.level) { gauge.level = 1 }
      #expect(recorder.take() == ["level 20→1", "isOver true→false"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P20: dependents follow manual notifications, and inputs that notify automatically")
    func manualClass() throws {
      let ledger = Ledger()
      let tokens = [
        ledger.observe(\.paid, options: [.old, .new], changeHandler: recorder.receives("paid")),
        ledger.observe(
          \.isSettled, options: [.old, .new, .prior], changeHandler: recorder.receives("settled")),
        try ledger.observe("summary", options: .new, changeHandler: recorder.receives("summary")),
      ]
      ledger.paid = 10
      #expect(recorder.take() == [])
      ledger.withMutation(of: \.paid) { ledger.paid = 5 }
      #expect(
        recorder.take() == [
          "settled true→ prior", "paid 10→5", "settled true→false", "summary →open",
        ])
      ledger.willChangeValue(for: \.paid)
      ledger.paid = 20
      ledger.didChangeValue(for: \.paid)
      #expect(
        recorder.take() == [
          "settled false→ prior", "paid 5→20", "settled false→true", "summary →settled",
        ])
      ledger.due = 30
      #expect(
        recorder.take() == ["settled true→ prior", "settled true→false", "summary →open"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P21: manual notifications of a computed key reach keys that declare it")
    func dependentsOfComputed() throws {
      let stack = Stack()
      let tokens = [
        stack.observe(\.count, options: [.old, .new], changeHandler: recorder.receives("count")),
        stack.observe(
          \.isEmpty, options: [.old, .new], changeHandler: recorder.receives("isEmpty")),
        try stack.observe(
          "isFull", options: [.old, .new], changeHandler: recorder.receives("isFull")),
      ]
      stack.push(1)
      let expected = ["count 0→1", "isEmpty true→false", "isFull false→true"]
      #expect(recorder.take() == expected)
      stack.willChangeValue(for: \.count)
      stack.elements = []
      stack.didChangeValue(for: \.count)
      #expect(recorder.take() == ["count 1→0", "isEmpty false→true", "isFull true→false"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P25, P29: manual notifications of a computed key are delivered along paths to it")
    func pathsToComputed() throws {
      let stack = Stack()
      let next = Stack()
      stack.next = next
      stack.stacks = [next]
      let tokens = [
        stack.observe(
          \.next?.count, options: [.old, .new, .prior], changeHandler: recorder.receives("typed")),
        try stack.observe(
          "next.count", options: [.old, .new], changeHandler: recorder.receives("string")),
        stack.observe(\.nextCount, options: [.old, .new], changeHandler: recorder.receives("key")),
        try stack.observe(
          "stacks.@sum.count", options: [.old, .new], changeHandler: recorder.receives("sum")),
      ]
      next.push(1)
      #expect(
        recorder.take() == [
          "typed 0→ prior", "typed 0→1", "string 0→1", "key 0→1", "sum 0→1",
        ])
      stack.next = nil
      _ = recorder.take()
      next.push(2)
      #expect(recorder.take() == ["sum 1→2"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19: indexed pairs and mutation blocks deliver the elements")
    func indexed() {
      let token = name.observe(
        \.tags, options: [.old, .new, .prior], changeHandler: recorder.receives("tags"))
      let places = RangeSet(1..<2)
      name.willChange(.insertion, valuesAt: places, for: \.tags)
      name.withMutation(of: \.marks) {}  // has nothing to do with it
      name.didChange(.insertion, valuesAt: places, for: \.tags)
      #expect(recorder.take() == ["tags → insertion [1] prior", #"tags →["b"] insertion [1]"#])
      name.withMutation(of: \.tags, .replacement, at: places) { name.tags[1] = "c" }
      #expect(
        recorder.take() == [
          #"tags ["b"]→ replacement [1] prior"#, #"tags ["b"]→["c"] replacement [1]"#,
        ])
      name.withMutation(of: \.tags, .removal, at: RangeSet([0..<1, 5..<7])) {
        name.tags.removeFirst(1)
      }
      #expect(
        recorder.take() == [
          #"tags ["a"]→ removal [0] prior"#, #"tags ["a"]→ removal [0]"#,
        ])
      token.invalidate()
    }

    @Test("P19: set pairs deliver the members that really changed")
    func sets() {
      let token = name.observe(
        \.marks, options: [.old, .new], changeHandler: recorder.receives("marks"))
      let mutations: [(KeyValueSetMutationKind, Set<Int>)] = [
        (.union, [2, 3]), (.minus, [2, 9]), (.intersect, [2]), (.set, [1, 2, 5]),
      ]
      for (mutation, members) in mutations {
        name.willChangeValue(for: \.marks, withSetMutation: mutation, using: members)
        name.didChangeValue(for: \.marks, withSetMutation: mutation, using: members)
      }
      #expect(
        recorder.take() == [
          "marks →[3] insertion", "marks [2]→ removal", "marks [1]→ removal",
          "marks []→[5] replacement",
        ])
      token.invalidate()
    }

    @Test("P19: what is no property is reported, and the body runs")
    func noProperty() {
      let diagnostics = Diagnostics()
      name.withMutation(of: \.first.count) { name.raw = 3 }
      name.willChangeValue(forKey: "nothing")
      let messages = diagnostics.take()
      #expect(messages.count == 2)
      #expect(messages.allSatisfy { $0.contains("so no observer is notified") })
      #expect(name.raw == 3)
    }
  }
}
