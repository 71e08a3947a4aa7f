import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// The old value of a path of several links, which is mostly read without walking there.
  @Suite("Former values of paths")
  struct FormerValueTests {
    private let recorder = Recorder()

    /// A person whose boss has a boss of an age.
    private func person(overBossAged age: Int) -> Person {
      let top = Person("top")
      top.age = age
      return Person("root", boss: Person("middle", boss: top))
    }

    private func observe(_ root: Person) -> KeyValueObservation {
      root.observe(
        \.boss?.boss?.age, options: [.old, .new], changeHandler: recorder.receives("age"))
    }

    @Test("P2, P25: the old value follows the new one, whichever link is replaced")
    func everyLink() {
      // Kept, so that what the path has left still has a value.
      let others = (0..<6).map { person(overBossAged: $0) }
      let root = Person("root", boss: others[1].boss)
      let token = observe(root)
      root.boss = others[2].boss
      #expect(recorder.take() == ["age 1→2 path"])
      root.boss?.boss?.age = 3
      #expect(recorder.take() == ["age 2→3"])
      root.boss?.boss = others[4].boss?.boss
      #expect(recorder.take() == ["age 3→4 path"])
      root.boss?.boss = nil
      #expect(recorder.take() == ["age 4→nil path"])
      root.boss = others[5].boss
      #expect(recorder.take() == ["age nil→5 path"])
      root.boss = nil
      #expect(recorder.take() == ["age 5→nil path"])
      withExtendedLifetime((token, others)) {}
    }

    @Test("P25, P33: the object with the last key is not kept")
    func notKept() {
      let root = person(overBossAged: 1)
      let token = observe(root)
      weak var top = root.boss?.boss
      root.boss = person(overBossAged: 2).boss
      #expect(top == nil)
      top = root.boss?.boss
      root.boss = nil
      #expect(top == nil)
      withExtendedLifetime(token) {}
    }

    @Test("P27: a deallocated object behind a weak one has no effect")
    func behindTheDying() {
      let root = Stop(0)
      let last = Stop(1)
      var near: Stop? = Stop(0, last)
      let other = Stop(0, Stop(2))
      root.near = near
      let token = root.observe(
        \.near?.next?.value, options: [.old, .new], changeHandler: recorder.receives("value"))
      near?.atEnd = { root.near = other }
      near = nil
      #expect(recorder.take() == ["value nil→2 path"])
      withExtendedLifetime((token, last, other)) {}
    }

    @Test("P11: a link that a didSet replaces behind one that is being replaced")
    func replacedInDidSet() {
      let root = Stop(0, Stop(0, Stop(1)))
      let former = root.next
      let token = root.observe(
        \.next?.next?.value, options: [.old, .new], changeHandler: recorder.receives("value"))
      root.didSetNext = { former?.next = Stop(3) }
      root.next = Stop(0, Stop(2))
      // The set in the didSet comes from within the other one, and is delivered before it.
      #expect(recorder.take() == ["value 1→2 path", "value 2→2 path"])
      withExtendedLifetime(token) {}
    }

    @Test("P20, P25: an intermediate object that was replaced without a notification")
    func replacedSilently() {
      let root = QuietStop(0, QuietStop(0, QuietStop(1)))
      let former = root.next
      let token = root.observe(
        \.next?.next?.value, options: [.old, .new], changeHandler: recorder.receives("value"))
      root.next = QuietStop(0, QuietStop(2))
      former?.withMutation(of: \.next) { former?.next = nil }
      #expect(recorder.take() == [])
      root.next?.withMutation(of: \.next) { root.next?.next = QuietStop(3) }
      #expect(recorder.take() == ["value 2→3 path"])
      withExtendedLifetime(token) {}
    }
  }
}

@KeyValueObservable
private final class Stop {
  var next: Stop? { didSet { didSetNext?() } }
  weak var near: Stop?
  var value: Int
  @KeyValueIgnored var didSetNext: (() -> Void)?
  @KeyValueIgnored var atEnd: (() -> Void)?

  init(_ value: Int, _ next: Stop? = nil) {
    self.value = value
    self.next = next
  }

  deinit { atEnd?() }
}

@KeyValueObservable
private final class QuietStop {
  var next: QuietStop?
  var value: Int

  init(_ value: Int, _ next: QuietStop? = nil) {
    self.value = value
    self.next = next
  }

  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "next" }
}
