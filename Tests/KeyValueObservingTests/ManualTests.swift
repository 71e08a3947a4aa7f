import KeyValueObserving
import Testing

@KeyValueObservable
class Gauge {
  var level = 0
  var limit = 10
  var isOver: Bool { level > limit }

  class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "level" }
}

@KeyValueObservable
final class Plotted: Gauge {
  var color = "red"
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key == "color" ? false : super.automaticallyNotifiesObservers(forKey: key)
  }
}

@KeyValueObservable
private final class Ledger {
  var lines = [1]
  var marks: Set<Int> = []
  var count: Int { lines.count }
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
}

@KeyValueObservable
private final class Lender {
  weak var ledger: Ledger?
  var lineCount: Int { ledger?.count ?? 0 }
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "ledger" }
}

@KeyValueObservable
private final class Folder {
  var name: String
  var parent: Folder?
  weak var link: Folder?
  var children: [Folder] = []
  var label: String { "/" + name }

  init(_ name: String) { self.name = name }

  static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key == "name" || key == "label"
  }
}

@KeyValueObservable
private final class Balance {
  var credit = 1
  var debit = 0
  var total: Int { credit - debit }
  var isPositive: Bool { total > 0 }
  static func automaticallyNotifiesObserversOfTotal() -> Bool { false }
  static func automaticallyNotifiesObserversOfDebit() -> Bool { false }
}

extension AllTests {
  @Suite("Switching automatic notification off")
  struct ManualTests {
    private let recorder = Recorder()

    @Test("P20: setters, writes by key and dependents are silent, initial is not")
    func silent() throws {
      let gauge = Plotted()
      let tokens = [
        gauge.observe(
          \.level, options: [.initial, .new], changeHandler: recorder.receives("level")),
        gauge.observe(\.isOver, options: .new, changeHandler: recorder.receives("isOver")),
        gauge.observe(\.color, changeHandler: recorder.receives("color")),
        try gauge.observe("level", changeHandler: recorder.receives("string")),
      ]
      gauge.level = 20
      gauge.color = "blue"
      try gauge.setValue(30, forKey: "level")
      #expect(recorder.take() == ["level →0"])
      gauge.limit = 25
      #expect(recorder.take() == ["isOver →true"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P20: a dependent follows its inputs, whether or not it notifies automatically itself")
    func silentDependent() {
      let balance = Balance()
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        balance.observe(\.total, options: options, changeHandler: recorder.receives("total")),
        balance.observe(
          \.isPositive, options: options, changeHandler: recorder.receives("positive")),
      ]
      balance.credit = 2
      #expect(recorder.take() == ["total 1→2", "positive true→true"])
      balance.debit = 2
      #expect(recorder.take() == [])
      balance.withMutation(of: \.debit) { balance.debit = 3 }
      #expect(recorder.take() == ["total 0→-1", "positive false→false"])
      balance.willChangeValue(for: \.total)
      balance.didChangeValue(for: \.total)
      #expect(recorder.take() == ["total -1→-1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P20, P27: deallocation of a weak property's object does not notify either")
    func silentDeallocation() {
      let lender = Lender()
      let tokens = [
        lender.observe(\.ledger, options: .new, changeHandler: recorder.receives("ledger")),
        lender.observe(\.lineCount, options: .new, changeHandler: recorder.receives("count")),
      ]
      var ledger: Ledger? = Ledger()
      lender.withMutation(of: \.ledger) { lender.ledger = ledger }
      #expect(recorder.take().map { $0.contains("nil") } == [false, false])
      ledger = nil
      #expect(lender.ledger == nil)
      #expect(recorder.take() == [])
      withExtendedLifetime((ledger, tokens)) {}
    }

    @Test("P20, P25: a path follows the objects that setters have stored without a notification")
    func silentLink() throws {
      let (root, first, second) = (Folder("root"), Folder("a"), Folder("b"))
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        root.observe(
          \.parent?.name, options: options, changeHandler: recorder.receives("typed")),
        try root.observe(
          "parent.label", options: options, changeHandler: recorder.receives("string")),
        root.observe(\.link?.name, options: options, changeHandler: recorder.receives("link")),
        try root.observe("children.name", options: .new, changeHandler: recorder.receives("all")),
      ]
      root.parent = first
      root.link = first
      #expect(recorder.take() == [])
      first.name = "c"
      #expect(recorder.take() == ["typed a→c", "link a→c", "string /a→/c"])
      root.parent = second
      try root.setValue(second, forKey: "link")
      first.name = "d"
      #expect(recorder.take() == [])
      second.name = "e"
      #expect(recorder.take() == ["typed b→e", "link b→e", "string /b→/e"])
      withKeyValueTransaction { root.parent = first }
      root.link = nil
      root.children = [second]
      second.name = "f"
      first.name = "g"
      #expect(
        recorder.take() == [#"all →[Optional("f")]"#, "typed d→g", "string /d→/g"])
      root.willChangeValue(for: \.parent)
      root.parent = nil
      root.didChangeValue(for: \.parent)
      #expect(recorder.take() == ["typed g→nil path", "string /g→nil path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P20, P25, P50: a path goes back with a key that a transaction puts back")
    func silentLinkPutBack() {
      let (root, first, second) = (Folder("root"), Folder("a"), Folder("b"))
      root.parent = first
      let token = root.observe(
        \.parent?.name, options: [.old, .new], changeHandler: recorder.receives("name"))
      try? withKeyValueTransaction {
        root.parent = second
        throw Refused()
      }
      #expect(recorder.take() == [])
      first.name = "c"
      second.name = "d"
      #expect(recorder.take() == ["name a→c"])
      withExtendedLifetime(token) {}
    }

    @Test("P20: edits by proxy are silent, and inside a change by hand they are a part of it")
    func proxies() throws {
      let ledger = Ledger()
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        ledger.observe(\.lines, options: options, changeHandler: recorder.receives("lines")),
        ledger.observe(\.marks, options: options, changeHandler: recorder.receives("marks")),
        ledger.observe(\.count, options: options, changeHandler: recorder.receives("count")),
        try ledger.observe(
          "lines.@sum.self", options: options, changeHandler: recorder.receives("sum")),
      ]
      ledger.mutableArrayValue(for: \.lines).append(2)
      try ledger.mutableArrayValue(forKey: "lines").append(3)
      ledger.mutableSetValue(for: \.marks).insert(1)
      try ledger.setValues(["lines": [1]])
      #expect(recorder.take() == [])
      ledger.withMutation(of: \.lines, .insertion, at: RangeSet(1..<2)) {
        ledger.mutableArrayValue(for: \.lines).append(2)
      }
      #expect(recorder.take() == ["lines →[2] insertion [1]", "sum 1→3", "count 1→2"])
      withExtendedLifetime(tokens) {}
    }
  }
}
