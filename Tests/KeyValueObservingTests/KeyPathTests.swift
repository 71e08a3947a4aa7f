import KeyValueObserving
import Testing

private protocol Worker: AnyObject {
  var name: String { get }
}

extension Person: Worker {}

private protocol Size {
  var area: Int { get }
}

private struct Square: Size {
  var area = 1
}

@KeyValueObservable
private final class Desk {
  weak var worker: (any Worker)?
  var cover: Desk?
  var size: any Size = Square()
}

extension AllTests {
  @Suite("Key paths")
  struct KeyPathTests {
    private let recorder = Recorder()

    @Test("P25: the table of link changes: set, replaced, same, equal, nil, nil again")
    func links() {
      let person = Person("root")
      let token = person.observe(
        \.boss?.boss?.name, options: [.new, .old], changeHandler: recorder.receives("·"))
      person.boss = Person("m")
      person.boss?.boss = Person("e")
      let same = person.boss
      person.boss = same
      person.boss?.boss?.name = "E"
      person.boss = Person("n", boss: Person("E"))
      same?.boss?.name = "silent"
      same?.boss = nil
      person.boss = nil
      person.boss = nil
      #expect(
        recorder.take() == [
          "· nil→nil path", "· nil→e path", "· e→e path", "· e→E", "· E→E path", "· E→nil path",
          "· nil→nil path",
        ])
      withExtendedLifetime(token) {}
    }

    @Test("P25: a path with prior receives one for each intermediate object and for the last key")
    func priors() {
      let person = Person("root")
      let token = person.observe(
        \.boss?.boss?.name, options: [.new, .old, .prior], changeHandler: recorder.receives("·"))
      let boss = Person("m")
      person.boss = boss
      boss.boss = Person("e")
      boss.boss?.name = "E"
      #expect(
        recorder.take() == [
          "· nil→ prior path", "· nil→nil path", "· nil→ prior path", "· nil→e path", "· e→ prior",
          "· e→E",
        ])
      token.invalidate()
    }

    @Test("P25: rebuilding the tail many times leaves exactly one attachment")
    func noAccumulation() {
      let person = Person("root")
      let token = person.observe(\.boss?.boss?.name, changeHandler: recorder.receives("·"))
      for round in 0..<25 { person.boss = Person("\(round)", boss: Person("x")) }
      _ = recorder.take()
      person.boss?.boss?.name = "y"
      #expect(recorder.take() == ["· →"])
      withExtendedLifetime(token) {}
    }

    @Test("P26: the reason says whether the last key or a link before it changed")
    func reasons() {
      let person = Person("root", boss: Person("b", boss: Person("t")))
      let observers = [
        KeyValueObserver(
          source: person, keyPath: \.boss?.name, callback: recorder.callback("name")),
        KeyValueObserver(
          source: person, keyPath: \.boss?.title, callback: recorder.callback("title")),
        KeyValueObserver(
          source: person, keyPath: \.boss?.bossName, callback: recorder.callback("bossName")),
      ]
      #expect(recorder.take() == ["name →b", "title →b (0)", "bossName →t"])
      person.boss?.name = "B"
      #expect(recorder.take() == ["name →B", "title →B (0)"])
      person.boss?.boss?.name = "T"
      #expect(recorder.take() == ["bossName →T"])
      person.boss?.boss = nil
      #expect(recorder.take() == ["bossName →nobody"])
      person.boss = Person("c")
      #expect(recorder.take() == ["name →c path", "title →c (0) path", "bossName →nobody path"])
      withExtendedLifetime(observers) {}
    }

    @Test("P26: a computed last key behind a link that was nil has the right reasons too")
    func reasonsFromNil() throws {
      let person = Person("root")
      let typed = KeyValueObserver(
        source: person, keyPath: \.boss?.bossName, options: .new,
        callback: recorder.callback("typed"))
      let string = try KeyValueObserver(
        source: person, keyPath: "boss.bossName", options: .new,
        callback: recorder.callback("string"))
      person.boss = Person("b")
      person.boss?.boss = Person("t")
      person.boss?.boss?.name = "T"
      #expect(
        recorder.take() == [
          "typed →nobody path", "string →nobody path", "typed →t", "string →t", "typed →T",
          "string →T",
        ])
      withExtendedLifetime((typed, string)) {}
    }

    @Test("P21, P26: a stored key that declares another delivers its own value on string paths")
    func storedThatDeclares() throws {
      let subject = Declared()
      subject.partner = Declared()
      let tokens = try ["partner.left", "self.left"].map {
        try subject.observe($0, options: [.old, .new], changeHandler: recorder.receives($0))
      }
      subject.partner?.left = 1
      subject.partner?.right = 7
      #expect(recorder.take() == ["partner.left 0→1", "partner.left 1→1"])
      subject.right = 7
      #expect(recorder.take() == ["self.left 0→0"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26: a link whose type is a protocol is a link all the same")
    func reasonsBehindProtocol() throws {
      let desk = Desk()
      let tokens = [
        desk.observe(\.worker?.name, options: .new, changeHandler: recorder.receives("typed")),
        try desk.observe("worker.name", options: .new, changeHandler: recorder.receives("string")),
        desk.observe(\.cover?.worker?.name, options: .new, changeHandler: recorder.receives("far")),
        desk.observe(\.size.area, options: .new, changeHandler: recorder.receives("value")),
      ]
      let person = Person("a")
      desk.worker = person
      person.name = "b"
      desk.worker = nil
      #expect(
        recorder.take() == [
          "typed →a path", "string →a path", "typed →b", "string →b", "typed →nil path",
          "string →nil path",
        ])
      desk.cover = Desk()
      desk.cover?.worker = person
      person.name = "c"
      #expect(recorder.take() == ["far →nil path", "far →b path", "far →c"])
      // A protocol for values holds no link.
      desk.size = Square(area: 4)
      #expect(recorder.take() == ["value →4"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P27: a weak property whose object is deallocated changes to nil, without a prior notification"
    )
    func weakDeallocation() throws {
      let person = Person("p")
      let tokens = [
        person.observe(
          \.friend?.name, options: [.new, .old, .prior], changeHandler: recorder.receives("path")),
        person.observe(
          \.friend, options: [.old, .prior], changeHandler: recorder.receives("direct")),
        try person.observe(
          "friend.name", options: .new, changeHandler: recorder.receives("string")),
      ]
      var friend: Person? = Person("f")
      person.friend = friend
      _ = recorder.take()
      withExtendedLifetime(friend) {}
      friend = nil
      #expect(recorder.take() == ["path f→nil path", "direct →", "string →nil path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P27: an observer of a deallocation may read the property that released the object")
    func readsDuringDeallocation() {
      for isObserved in [false, true] {
        let owner = Person("owner", boss: Person("boss"))
        let watcher = Person("watcher")
        watcher.friend = owner.boss
        let token = watcher.observe(\.friend) { _, _ in
          self.recorder.write("deallocated, now \(owner.boss?.name ?? "nobody")")
        }
        let other = isObserved ? owner.observe(\.boss) { _, _ in } : nil
        owner.boss = Person("next")
        #expect(recorder.take() == ["deallocated, now next"])
        withExtendedLifetime((token, other)) {}
      }
    }

    @Test("P27: after a replacement or a nil, deallocation of the former object does not notify")
    func formerDeallocation() {
      let person = Person("p")
      let token = person.observe(
        \.friend?.name, options: .new, changeHandler: recorder.receives("·"))
      var first: Person? = Person("1")
      var second: Person? = Person("2")
      person.friend = first
      person.friend = second
      person.friend = nil
      _ = recorder.take()
      first = nil
      second = nil
      #expect(recorder.take() == [])
      var third: Person? = Person("3")
      person.friend = third
      third = nil
      #expect(recorder.take() == ["· →3 path", "· →nil path"])
      withExtendedLifetime((token, first, second, third)) {}
    }

    @Test("P19, P27: in a scope too, what is left is no longer watched, and what comes is")
    func deallocationAfterScope() {
      let person = Person("a")
      var former: Person? = Person("former")
      var latter: Person? = Person("latter")
      person.friend = former
      let token = person.observe(
        \.friend?.name, options: .new, changeHandler: recorder.receives("·"))
      person.withMutation(of: \.friend) { person.friend = latter }
      former = nil
      #expect(recorder.take() == ["· →latter path"])
      latter = nil
      #expect(recorder.take() == ["· →nil path"])
      withExtendedLifetime((token, former, latter)) {}
    }

    @Test("P27: a weak link that was set before it was observed is watched")
    func weakSetBefore() {
      let person = Person("p")
      var friend: Person? = Person("f")
      person.friend = friend
      let direct = person.observe(\.friend, changeHandler: recorder.receives("direct"))
      let path = person.observe(\.friend?.age, changeHandler: recorder.receives("path"))
      friend = nil
      #expect(recorder.take() == ["direct →", "path → path"])
      withExtendedLifetime((direct, path, friend)) {}
    }

    @Test("P27: deallocation of a weak constant's object notifies like that of a variable's")
    func weakConstant() throws {
      var target: Person? = Person("t")
      let visit = Visit(target!)
      let tokens = [
        visit.observe(\.host, options: .new) { _, change in
          self.recorder.write("host \((change.newValue ?? nil)?.name ?? "nil")")
        },
        visit.observe(\.host?.name, options: .new, changeHandler: recorder.receives("typed")),
        try visit.observe("host.name", options: .new, changeHandler: recorder.receives("string")),
        try visit.observe(
          "self.host.title", options: .new, changeHandler: recorder.receives("title")),
      ]
      target?.name = "T"
      #expect(recorder.take() == ["typed →T", "string →T", "title →T (0)"])
      target = nil
      #expect(
        recorder.take() == ["host nil", "typed →nil path", "string →nil path", "title →nil path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P27: a target that cannot notify of its deallocation is named in one diagnostic")
    func unobservableTarget() {
      let reports = Diagnostics()
      let holder = WeakHolder()
      let token = holder.observe(\.plain) { _, _ in }
      #expect(reports.take().count == 1)
      withExtendedLifetime(token) {}
    }

    @Test("P28: a write anywhere inside a value is a change of the path that ends in it")
    func structTails() {
      let person = Person("p", boss: Person("b"))
      let tokens = [
        person.observe(
          \.frame.size.width, options: [.new, .old], changeHandler: recorder.receives("w")),
        person.observe(
          \.boss?.frame.size, options: [.new], changeHandler: recorder.receives("boss")),
      ]
      person.frame.size.width = 1
      person.frame.size.height = 2
      person.frame = Frame()
      person.boss?.frame.size.width = 3
      #expect(
        recorder.take() == [
          "w 0.0→1.0", "w 1.0→1.0", "w 1.0→0.0", "boss →Size(width: 3.0, height: 0.0)",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P28: paths run through subscripts")
    func subscripts() {
      let person = Person("p")
      person.tags = ["a", "b"]
      person.staff = [Person("s")]
      let tokens = [
        person.observe(\.tags[0], options: [.new, .old], changeHandler: recorder.receives("tag")),
        person.observe(\.staff[0].name, options: .new, changeHandler: recorder.receives("staff")),
      ]
      person.tags[0] = "A"
      person.staff[0].name = "S"
      person.staff = [Person("t")]
      person.staff[0].name = "T"
      #expect(recorder.take().filter { $0.hasPrefix("tag") } == ["tag a→A"])
      person.staff[0].name = "U"
      #expect(recorder.take() == ["staff →U"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P30: one object on many paths, each registration receives one change")
    func manyPaths() {
      let shared = Person("s")
      let first = Person("1", boss: shared)
      let second = Person("2", boss: shared)
      shared.boss = shared
      let tokens = [
        first.observe(\.boss?.name, changeHandler: recorder.receives("1")),
        second.observe(\.boss?.boss?.boss?.name, changeHandler: recorder.receives("2")),
        shared.observe(\.name, changeHandler: recorder.receives("3")),
      ]
      shared.name = "t"
      #expect(recorder.take() == ["1 →", "2 →", "3 →"])
      shared.boss = nil
      #expect(recorder.take() == ["2 → path"])
      withExtendedLifetime(tokens) {}
    }
  }
}

final class PlainTarget {}

@KeyValueObservable
final class WeakHolder {
  weak var plain: PlainTarget?
}

@KeyValueObservable
private final class Visit {
  weak let host: Person?
  init(_ host: Person) { self.host = host }
}
