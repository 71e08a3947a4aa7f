import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// More of its keys are observed than are looked up one by one.
@KeyValueObservable
private final class Station {
  var a = 0
  var b = 0
  var c = 0
  var d = 0
  var e = 0
  var f = 0
  var g = 0
  var h = 0
  var i = 0
  var j = 0
  var k = 0
  var l = 0
  var m = 0
  var n = 0
  var o = 0
  var p = 0
  var q = 0
  var r = 0
}

@KeyValueObservable
private final class Line {
  var station: Station?
}

@KeyValueObservable
private final class Shelf {
  var titles = ["a", "b"]
  @KeyValueIgnored var reads = 0
  var sorted: [String] {
    reads += 1
    return titles.sorted()
  }
}

@KeyValueObservable
private final class Library {
  var shelf: Shelf?
}

@KeyValueObservable
private final class Chain {
  var next: Chain?
  var items: [Int] = []

  init(count: Int) { next = count > 1 ? Chain(count: count - 1) : nil }
}

extension AllTests {
  /// Special cases of paths that are walked from key to key instead of being evaluated.
  @Suite("Walking along paths")
  struct PathWalkTests {
    private let recorder = Recorder()

    @Test("P26: a path with a subscript is read as often for each change, wherever it has begun")
    func subscriptBehindNil() {
      let (empty, full) = (Library(), Library())
      full.shelf = Shelf()
      let tokens = [empty, full].map {
        $0.observe(\.shelf?.sorted[0], options: .new, changeHandler: recorder.receives("path"))
      }
      empty.shelf = Shelf()
      let shelves = [empty, full].compactMap(\.shelf)
      for shelf in shelves {
        shelf.titles = ["c"]
        shelf.reads = 0
        shelf.titles = ["d"]
      }
      #expect(shelves[0].reads > 0 && shelves[0].reads == shelves[1].reads)
      withExtendedLifetime(tokens) {}
    }

    @Test("P35: a path delivers edits though an observer before it found too little to know it")
    func searchedAgain() {
      func observe(_ chain: Chain) -> KeyValueObservation {
        chain.observe(\.next?.next?.next?.next?.items) { [unowned recorder] _, change in
          recorder.write("\(change.kind)")
        }
      }
      let chains = [Chain(count: 1), Chain(count: 5), Chain(count: 5)]
      let tokens = chains.map(observe)
      for chain in chains[1...] {
        chain.next?.next?.next?.next?.mutableArrayValue(for: \.items).append(1)
      }
      #expect(recorder.take() == ["insertion", "insertion"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P25, P39: a path comes to an object of which many keys are observed")
    func comesToManyKeys() throws {
      let station = Station()
      let line = Line()
      let others = try "abcdefghijklmnopq".map { try station.observe("\($0)") { _, _ in } }
      let tokens = [
        line.observe(\.station?.r, options: .new, changeHandler: recorder.receives("typed")),
        try line.observe("station.r", options: .new, changeHandler: recorder.receives("string")),
      ]
      line.station = station
      station.r = 1
      #expect(
        recorder.take() == ["typed →0 path", "string →0 path", "typed →1", "string →1"])
      withExtendedLifetime((others, tokens)) {}
    }

    @Test("P21: a getter that a class overrides without listing it is followed on a path")
    func unlistedOverride() throws {
      let stage = Stage()
      let tokens = [
        stage.observe(\.act?.next?.name, options: .new, changeHandler: recorder.receives("typed")),
        try stage.observe(
          "act.next.name", options: .new, changeHandler: recorder.receives("string")),
      ]
      stage.act = Act("a", next: Act("b"))
      #expect(recorder.take() == ["typed →b path", "string →b path"])
      let shifted = ShiftedAct("c", next: Act("d"))
      shifted.other = Act("e")
      stage.act = shifted
      #expect(recorder.take() == ["typed →e path", "string →e path"])
      shifted.other?.name = "f"
      #expect(recorder.take() == ["typed →f", "string →f"])
      shifted.other = Act("g")
      #expect(recorder.take().filter { $0.contains("→g") }.count == 2)
      let plain = Act("h", next: Act("i"))
      stage.act = plain
      shifted.other?.name = "silent"
      plain.next?.name = "j"
      #expect(
        recorder.take() == ["typed →i path", "string →i path", "typed →j", "string →j"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P25: objects of several classes stand on one path")
    func subclasses() throws {
      let stage = Stage()
      let tokens = [
        stage.observe(\.act?.name, options: .new, changeHandler: recorder.receives("typed")),
        try stage.observe("act.name", options: .new, changeHandler: recorder.receives("string")),
      ]
      for act in [Act("a"), LongAct("b"), ShiftedAct("c"), LongAct("d"), Act("e")] {
        stage.act = act
        act.name += "!"
      }
      let names = ["a", "b", "c", "d", "e"]
      #expect(
        recorder.take()
          == names.flatMap {
            ["typed →\($0) path", "string →\($0) path", "typed →\($0)!", "string →\($0)!"]
          })
      withExtendedLifetime(tokens) {}
    }

    @Test("P30: a path that turns back into itself receives one change, and goes straight again")
    func cycle() throws {
      let first = Person("1")
      let second = Person("2", boss: first)
      first.boss = second
      let tokens = [
        first.observe(
          \.boss?.boss?.boss?.name, options: [.new, .old], changeHandler: recorder.receives("typed")
        ),
        try first.observe(
          "boss.boss.boss.name", options: [.new, .old], changeHandler: recorder.receives("string")),
      ]
      second.name = "two"
      first.boss = first
      first.name = "one"
      second.name = "silent"
      #expect(
        recorder.take() == [
          "typed 2→two", "string 2→two", "typed two→1 path", "string two→1 path", "typed 1→one",
          "string 1→one",
        ])
      first.boss = second
      second.boss = Person("3", boss: Person("4"))
      second.boss?.boss?.name = "four"
      #expect(
        recorder.take() == [
          "typed one→silent path", "string one→silent path", "typed silent→4 path",
          "string silent→4 path", "typed 4→four", "string 4→four",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P10: a path keeps its place where it was attached before its keys were known")
    func keepsPlace() {
      let person = Person("root")
      let tokens = [
        person.observe(\.boss?.home.city, changeHandler: recorder.receives("path")),
        person.observe(\.boss, changeHandler: recorder.receives("direct")),
      ]
      person.boss = Person("a")
      person.boss = Person("b")
      #expect(recorder.take() == ["path → path", "direct →", "path → path", "direct →"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P25: an intermediate object that leaves a key during its delivery moves on")
    func movesDuringDelivery() {
      let boss = Person("boss")
      let person = Person("root", boss: boss)
      let others = [Person("x"), Person("y")]
      let tokens = [
        boss.observe(\.name) { _, _ in
          person.boss = others[0]
          person.boss = others[1]
          person.boss = boss
        },
        person.observe(
          \.boss?.name, options: [.new, .old], changeHandler: recorder.receives("path")),
      ]
      boss.name = "B"
      #expect(
        recorder.take() == ["path boss→B", "path B→x path", "path x→y path", "path y→B path"])
      others[0].name = "silent"
      others[1].name = "silent"
      withExtendedLifetime(tokens) {}
      #expect(recorder.take() == [])
    }

    @Test("P27: an object deallocated while a path is evaluated is not delivered as present")
    func deallocationInGetter() {
      for _ in 0..<2 {
        let holder = Fuse()
        let token = holder.observe(
          \.inner?.target?.burnt, options: .new, changeHandler: recorder.receives("·"))
        let fuse = Fuse()
        fuse.bomb = Bomb(in: fuse)
        fuse.target = fuse.bomb
        holder.inner = fuse
        #expect(recorder.take() == ["· →nil path"])
        #expect(fuse.target == nil)
        withExtendedLifetime(token) {}
      }
    }

    @Test("P11: a change that a getter makes is delivered after the one for which it is read")
    func getterThatWrites() {
      let scale = Scale()
      let tokens = [
        scale.observe(\.total, options: [.new, .old], changeHandler: recorder.receives("total")),
        scale.observe(\.corrected, options: .new, changeHandler: recorder.receives("corrected")),
      ]
      scale.weight = 1
      #expect(recorder.take() == ["total 0→1", "total 1→6", "corrected →1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21: a property may be computed from more keys than are compared one by one")
    func manyInputs() {
      let row = Row()
      let token = row.observe(\.sum, options: .new, changeHandler: recorder.receives("sum"))
      for cell in row.cells.indices { row.cells[cell].value = 1 }
      #expect(recorder.take() == (1...40).map { "sum →\($0)" })
      row.cells.reverse()
      #expect(recorder.take() == ["sum →40"])
      row.cells[39].value = 2
      #expect(recorder.take() == ["sum →41"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P35: a mutation behind a computed property is delivered with its indexes, typed or a string")
    func editBehindComputedLink() throws {
      let theatre = Theatre()
      theatre.stages = [Theatre()]
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        theatre.observe(
          \.first?.plays, options: options, changeHandler: recorder.receives("typed")),
        theatre.observe(\.only.plays, options: options, changeHandler: recorder.receives("whole")),
        try theatre.observe(
          "first.plays", options: options, changeHandler: recorder.receives("string")),
      ]
      theatre.stages[0].mutableArrayValue(for: \.plays).append("Faust")
      #expect(
        recorder.take() == ["typed", "whole", "string"].map { "\($0) →[\"Faust\"] insertion [0]" })
      theatre.stages[0].plays = []
      #expect(recorder.take() == ["typed", "whole", "string"].map { "\($0) [\"Faust\"]→[]" })
      theatre.stages = [Theatre()]
      #expect(recorder.take() == ["typed", "string", "whole"].map { "\($0) []→[] path" })
      withExtendedLifetime(tokens) {}
    }

    @Test("P6: a string path that was used before is checked against what is there now")
    func checkedAgain() throws {
      let stage = Stage()
      stage.act = Act("a", next: Act("b"))
      for _ in 0..<2 {
        let token = try stage.observe(
          "act.next.name", options: .new, changeHandler: recorder.receives("·"))
        stage.act?.next?.name = "c"
        token.invalidate()
      }
      stage.act = nil
      try stage.observe("act.next.name") { _, _ in }.invalidate()
      #expect(throws: KeyValueCodingError.self) { try stage.observe("act.next.nam") { _, _ in } }
      #expect(recorder.take() == ["· →c", "· →c"])
    }
  }
}

@KeyValueObservable
final class Stage {
  var act: Act?
}

@KeyValueObservable
class Act {
  var name: String
  var next: Act?

  init(_ name: String, next: Act? = nil) {
    self.name = name
    self.next = next
  }
}

@KeyValueObservable
final class LongAct: Act {
  var length = 0
}

/// Overrides a stored property, and the macro does not see it.
final class ShiftedAct: Act {
  private let stage = Stage()
  var other: Act? {
    get { stage.act }
    set { stage.act = newValue }
  }
  override var next: Act? {
    get { stage.act ?? super.next }
    set { super.next = newValue }
  }
}

@KeyValueObservable
private final class Theatre {
  var plays: [String] = []
  var stages: [Theatre] = []
  var first: Theatre? { stages.first }
  var only: Theatre { stages[0] }
}

@KeyValueObservable
final class Fuse {
  var inner: Fuse?
  weak var target: Bomb?
  @KeyValueIgnored var bomb: Bomb?
}

/// Reading it releases it.
@KeyValueObservable
final class Bomb {
  @KeyValueIgnored private unowned let fuse: Fuse
  var burnt: Bool {
    fuse.bomb = nil
    return true
  }

  init(in fuse: Fuse) { self.fuse = fuse }
}

@KeyValueObservable
final class Scale {
  var weight = 0
  var tare = 0
  var total: Int { weight + tare }
  var corrected: Int {
    if weight > 0, tare == 0 { tare = 5 }
    return weight
  }
}

@KeyValueObservable
final class Row {
  @KeyValueObservable
  final class Cell {
    var value = 0
  }

  var cells = (0..<40).map { _ in Cell() }
  var sum: Int { cells.reduce(0) { $0 + $1.value } }
}
