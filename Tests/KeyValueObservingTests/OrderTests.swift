import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Order of deferred changes")
  struct OrderTests {
    private let recorder = Recorder()

    @Test("P11: a deferred change of the last key is delivered in the order in which it was made")
    func leafInOrder() {
      let tail = Person("tail")
      let middle = Person("middle", boss: tail)
      let person = Person("root", boss: middle)
      let tokens = [
        person.observe(\.boss) { _, _ in if tail.age == 0 { tail.age = 1 } },
        tail.observe(\.age) { _, _ in
          guard tail.age == 1 else { return }
          let other = Person("other")
          other.age = 7
          middle.boss = other
        },
        person.observe(
          \.boss?.boss?.age, options: [.new, .old], changeHandler: recorder.receives("path")),
      ]
      person.boss = middle
      #expect(recorder.take() == ["path 0→0 path", "path 0→1", "path 1→7 path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P10: a path whose keys are found late is notified in the order of attaching")
    func lateKeys() {
      let last = Person("5")
      let boss = Person("2", boss: Person("3", boss: Person("4", boss: last)))
      let person = Person("1")
      let path = person.observe(
        \.boss?.boss?.boss?.boss?.age, options: .new, changeHandler: recorder.receives("path"))
      person.boss = nil
      person.boss = boss
      _ = recorder.take()
      let direct = last.observe(\.age, options: .new, changeHandler: recorder.receives("direct"))
      for age in 1...2 {
        last.age = age
        #expect(recorder.take() == ["path →\(age)", "direct →\(age)"])
      }
      withExtendedLifetime((path, direct, person)) {}
    }

    @Test("P27: a deallocation that the end of a delivery causes is notified at once")
    func deallocationAtEnd() {
      let person = Person("a", boss: Person("b"))
      var friend: Person? = Person("f")
      let token = person.observe(\.boss?.friend, options: .new) { _, change in
        self.recorder.write("·", change.newValue! == nil ? "nil" : "friend")
        friend = nil
      }
      let boss = Person("c")
      boss.friend = friend
      person.boss = boss
      #expect(recorder.take() == ["· friend", "· nil"])
      withExtendedLifetime((token, friend)) {}
    }

    @Test("P13, P34: the last observer with prior may end in it, and another one be added")
    func endInPrior() {
      let person = Person("a")
      let other = Person("o", boss: Person("p"))
      let path = other.observe(\.boss?.name) { _, _ in }
      for comes in [false, true] {
        var titles: KeyValueObservation?
        var late: KeyValueObservation?
        titles = person.observe(\.title, options: .prior) { person, _ in
          titles?.invalidate()
          other.boss = Person("q")
          if comes {
            late = person.observe(
              \.name, options: .new, changeHandler: self.recorder.receives("late"))
          }
        }
        person.name += "b"
        #expect(recorder.take() == [])
        person.name += "c"
        #expect(recorder.take() == (comes ? ["late →abcbc"] : []))
        withExtendedLifetime((titles, late)) {}
      }
      withExtendedLifetime(path) {}
    }

    @Test("P11, P27: a deallocation at the end of a path follows the change that led there")
    func deallocationBeforeLink() {
      let root = Branch()
      var kept: Branch? = Branch()
      let first = root.observe(\.next) { _, _ in kept = nil }
      // An observer that requests no value retains no object.
      let path = root.observe(\.next?.leaf) { root, change in
        self.recorder.write("\(change.reason)", root.next?.leaf == nil ? "nil" : "leaf")
      }
      let next = Branch()
      next.leaf = kept
      root.next = next
      #expect(recorder.take() == ["pathChanged nil", "valueChanged nil"])
      let other = Branch()
      next.leaf = other
      #expect(recorder.take() == ["valueChanged leaf"])
      withExtendedLifetime((first, path, kept, other)) {}
    }

    @Test("P11: a change that the willSet of a weak property makes is delivered before its own")
    func changeInWillSetOfWeak() {
      let article = Article()
      let person = Person("abc")
      var isFirst = true
      let token = article.observe(\.summary, options: [.old, .new]) { article, change in
        self.recorder.write("·", change)
        if isFirst { article.author = person }
        isFirst = false
      }
      article.changes = 10
      #expect(recorder.take() == ["· 0→10", "· 10→11", "· 11→14"])
      withExtendedLifetime((token, person)) {}
    }

    @Test(
      "P11, P69: a change that the write of an entry, or of a dynamic key, makes is delivered before its own",
      arguments: [false, true])
    func changeInWrite(isOfEntry: Bool) throws {
      let source = WidgetSource(["upper": 4.0])
      let entry = try #require(source.keyValueProperty(forKey: "upper"))
      let holder = WidgetHolder()
      holder.widget = source
      func read() -> Any? { source.widget.values["upper"] }
      func write(_ value: Any?) {
        holder.factor = 3
        source.widget.store("upper", value)
      }
      var isFirst = true
      let token = holder.observe(\.area, options: [.old, .new]) { _, change in
        self.recorder.write("·", change)
        guard isFirst else { return }
        isFirst = false
        if isOfEntry {
          try? source.keyValueRegistrar.set(
            entry, of: source, to: 2.0, read: read,
            write: { (value) throws(KeyValueCodingError) in write(value) })
        } else {
          source.keyValueRegistrar.set(
            dynamicKey: "upper", of: source, to: 2.0, read: read, write: write)
        }
      }
      holder.factor = 2
      #expect(recorder.take() == ["· 4.0→8.0", "· 8.0→12.0", "· 12.0→6.0"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P11, P19: a block of the last key of a path is delivered behind what its body changes on the way"
    )
    func blockOfLastKey() {
      let valve = Valve()
      let pipe = Pipe()
      pipe.valve = valve
      var count = 0
      let token = pipe.observe(\.valve?.level, options: [.old, .new]) { pipe, change in
        self.recorder.write("·", change)
        count += 1
        guard count == 1 else { return }
        valve.withMutation(of: \.level) {
          pipe.valve = valve
          valve.level = 2
        }
      }
      valve.level = 1
      #expect(recorder.take() == ["· 0→1", "· 1→1 path", "· 1→2"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P11, P25: a path that is led away from a property in its didSet is not notified of it after that"
    )
    func pathMovedInDidSet() {
      let (former, other) = (Valve(), Valve())
      let pipe = Pipe()
      pipe.valve = former
      let tokens = [
        pipe.observe(\.valve?.level, options: .new, changeHandler: recorder.receives("path")),
        pipe.observe(\.valve?.mark) { pipe, _ in if pipe.valve === former { pipe.valve = other } },
      ]
      former.level = 3
      #expect(recorder.take() == ["path →0 path"])
      former.level = 4
      #expect(recorder.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P11, P20: a change that waits for a mutation in place is delivered, also if its setter makes others"
    )
    func setterWithDidSetDuringMutation() {
      let tally = Tally()
      let token = tally.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      func mutate(_ numbers: inout [Int], _ body: () -> Void) {
        numbers.append(1)
        body()
      }
      mutate(&tally.numbers) { tally.bonus = 5 }
      #expect(recorder.take() == ["total →110"])
      tally.bonus = 6
      #expect(recorder.take() == ["total 110→112", "total 112→112"])
      withExtendedLifetime(token) {}
    }

    @Test("P11, P25: the old value of a path is the one that a didSet has delivered along it")
    func oldValueAfterDidSet() {
      let (first, second) = (Tab(), Tab())
      let bar = TabBar()
      bar.current = first
      let token = bar.observe(
        \.current?.isSelected, options: [.old, .new], changeHandler: recorder.receives("selected"))
      bar.current = second
      #expect(recorder.take() == ["selected true→false", "selected false→true path"])
      withExtendedLifetime((token, first)) {}
    }

    @Test("P25: a tail that was detached during its delivery does not speak in a later change")
    func detachedTail() {
      let former = Person("former")
      let person = Person("a", boss: former)
      var isFirst = true
      let token = person.observe(\.boss?.age, options: [.new, .old]) { person, change in
        self.recorder.write("·", change)
        if isFirst {
          isFirst = false
          person.boss = Person("new")
        } else if change.reason == .pathChanged {
          former.age = 0
        }
      }
      former.age = 2
      #expect(recorder.take() == ["· 0→2", "· 2→0 path"])
      withExtendedLifetime(token) {}
    }
  }
}

extension Recorder {
  fileprivate func write(_ name: String, _ text: String) {
    write("\(name) \(text)")
  }
}

@KeyValueObservable
private final class Branch {
  var next: Branch?
  weak var leaf: Branch?
}

@KeyValueObservable
private final class Article {
  var changes = 0
  weak var author: Person? { willSet { changes += 1 } }
  var summary: Int { changes + (author?.name.count ?? 0) }
}

@KeyValueObservable
private final class Valve {
  var level = 0 { didSet { mark = 2 * level } }
  var mark = 0
}

@KeyValueObservable
private final class Pipe {
  var valve: Valve?
}

@KeyValueObservable
private final class Tally {
  static func automaticallyNotifiesObserversOfNumbers() -> Bool { false }

  var numbers: [Int] = []
  var bonus = 0 { didSet { copy = bonus } }
  var copy = 0
  var total: Int { numbers.count * 100 + bonus + copy }
}

@KeyValueObservable
private final class Tab {
  var isSelected = false
}

@KeyValueObservable
private final class TabBar {
  var current: Tab? {
    didSet {
      oldValue?.isSelected = false
      current?.isSelected = true
    }
  }
}
