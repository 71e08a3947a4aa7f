import Foundation
import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// Observes itself in its last moment.
@KeyValueObservable
private final class LastWords {
  var value = 0
  var next: LastWords?
  @KeyValueIgnored var recorder: Recorder?

  deinit {
    guard let recorder else { return }
    let tokens = [
      observe(\.value, options: .new, changeHandler: recorder.receives("own")),
      observe(\.next?.value, options: .new, changeHandler: recorder.receives("path")),
    ]
    value = 1
    next = LastWords()
    withExtendedLifetime(tokens) {}
  }
}

extension AllTests {
  @Suite("Ending")
  struct EndingTests {
    private let recorder = Recorder()

    @Test("P31: an observation that ended in its prior notification does not receive the change")
    func endsInPrior() {
      let person = Person("a")
      var token: KeyValueObservation?
      token = person.observe(\.name, options: .prior) { _, change in
        self.recorder.write("·", change)
        token?.invalidate()
      }
      person.name = "b"
      #expect(recorder.take() == ["· → prior"])
    }

    @Test("P16, P32: a computed key that only a path still leads to is not computed for itself")
    func observersOfComputedEnd() throws {
      let person = Person("root", boss: Person("a"))
      let path = try person.observe("boss.title", options: .new) { _, _ in }
      let key = person.boss!.observe(\.title, options: .new) { _, _ in }
      key.invalidate()
      person.boss?.evaluations = 0
      person.boss?.name = "b"
      #expect(person.boss?.evaluations == 1)
      path.invalidate()
    }

    @Test("P34: an object that ends may observe itself, which is not said to be a mistake")
    func observesItsEnd() {
      let diagnostics = Diagnostics()
      var last: LastWords? = LastWords()
      last?.recorder = recorder
      last = nil
      #expect(recorder.take() == ["own →1"])
      #expect(diagnostics.take() == [])
    }

    @Test("P31: a path or computed key that is ended by another observer is not called")
    func endedByOthers() {
      let person = Person("a", boss: Person("b"))
      var ended: [KeyValueObservation] = []
      let first = person.observe(\.name) { _, _ in ended.forEach { $0.invalidate() } }
      let second = person.boss!.observe(\.name) { _, _ in ended.forEach { $0.invalidate() } }
      ended = [
        person.observe(\.title, changeHandler: recorder.receives("title")),
        person.observe(\.boss?.name, changeHandler: recorder.receives("path")),
      ]
      person.name = "c"
      person.boss?.name = "d"
      #expect(recorder.take() == [])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P31: ending from eight threads at once, while changes are delivered, is exact")
    func concurrentEnding() async {
      for _ in 0..<50 {
        let person = Person("a")
        let calls = Counter()
        let tokens = (0..<16).map { _ in
          person.observe(\.age) { _, _ in calls.increment() }
        }
        nonisolated(unsafe) let subject = person
        await withTaskGroup { group in
          group.addTask { for value in 0..<100 { subject.age = value } }
          for token in tokens {
            group.addTask { token.invalidate() }
            group.addTask { token.invalidate() }
          }
        }
        let before = calls.value
        person.age = -1
        #expect(calls.value == before)
        person.observationContext.checkInvariants()
      }
    }

    @Test("P32: store(in:) keeps tokens in a set or an array, and removal ends them")
    func storing() {
      let person = Person("a")
      var set: Set<KeyValueObservation> = []
      var array: [KeyValueObservation] = []
      person.observe(\.name, changeHandler: recorder.receives("set")).store(in: &set)
      person.observe(\.name, changeHandler: recorder.receives("array")).store(in: &array)
      person.name = "b"
      #expect(recorder.take() == ["set →", "array →"])
      set.removeAll()
      person.name = "c"
      #expect(recorder.take() == ["array →"])
      array.removeAll()
      person.name = "d"
      #expect(recorder.take() == [])
    }

    @Test("P31, P32: a token made from a closure calls it once, at its end, and releases it")
    func tokenOfClosure() {
      for isInvalidated in [true, false] {
        let count = Counter()
        weak var captured: Capture?
        var token: KeyValueObservation?
        do {
          let capture = Capture()
          captured = capture
          token = KeyValueObservation {
            count.increment()
            withExtendedLifetime(capture) {}
          }
        }
        #expect(count.value == 0 && captured != nil && token!.isActive)
        if isInvalidated {
          token?.invalidate()
          #expect(count.value == 1 && captured == nil && !token!.isActive)
          token?.invalidate()
        }
        token = nil
        #expect(count.value == 1 && captured == nil)
      }
    }

    @Test("P31: the closure of a token may end the token, and is called once by several threads")
    func tokenEndedByAll() {
      let count = Counter()
      let holder = TokenHolder()
      let token = KeyValueObservation {
        count.increment()
        holder.token?.invalidate()
      }
      holder.token = token
      DispatchQueue.concurrentPerform(iterations: 4) { _ in token.invalidate() }
      #expect(count.value == 1)
      holder.token = nil
    }

    @Test("P32: a token that is not kept ends at once")
    func discarded() {
      let person = Person("a")
      _ = person.observe(\.name, changeHandler: recorder.receives("·"))
      person.name = "b"
      #expect(recorder.take() == [])
    }

    @Test("P32: the closure is released when the observation ends, even inside its own call")
    func releasedAtEnd() {
      let person = Person("a", boss: Person("b"))
      func observe(_ register: (@escaping () -> Void) -> KeyValueObservation) -> Bool {
        var isReleased = false
        var canary: Canary? = Canary { isReleased = true }
        let token = register { [canary] in _ = canary }
        canary = nil
        if isReleased { return false }
        token.invalidate()
        return isReleased
      }
      #expect(observe { callback in person.observe(\.name) { _, _ in callback() } })
      #expect(observe { callback in person.observe(\.boss?.name) { _, _ in callback() } })
      #expect(observe { callback in person.observe(\.title) { _, _ in callback() } })
      #expect(observe { callback in person.onChange(of: \.name, \.boss?.name) { callback() } })

      var isReleased = false
      var canary: Canary? = Canary { isReleased = true }
      var token: KeyValueObservation?
      token = person.observe(\.name) { [canary] _, _ in
        _ = canary
        token?.invalidate()
        #expect(!isReleased)
      }
      canary = nil
      person.name = "c"
      #expect(isReleased)
    }

    @Test("P32: a closure is released with its subject although the token lives on")
    func releasedWithSubject() {
      var person: Person? = Person("a", boss: Person("b"))
      var released = 0
      func capture() -> Canary { Canary { released += 1 } }
      let tokens = [
        person!.observe(\.name) { [canary = capture()] _, _ in _ = canary },
        person!.observe(\.boss?.name) { [canary = capture()] _, _ in _ = canary },
        person!.observe(\.title) { [canary = capture()] _, _ in _ = canary },
      ]
      #expect(released == 0)
      person = nil
      #expect(released == 3)
      tokens.forEach { $0.invalidate() }
    }

    @Test(
      "P33: an observer receives sourceDeleted once, with an empty change; a closure is not called")
    func sourceDeleted() {
      var person: Person? = Person("a", boss: Person("b"))
      var changes: [KeyValueChange<String?>] = []
      let observers = [
        KeyValueObserver(source: person!, keyPath: \.boss?.name, options: [.new, .old]) {
          change, _ in
          changes.append(change)
        }
      ]
      let silent = person!.observe(\.name, changeHandler: recorder.receives("closure"))
      person = nil
      #expect(changes == [KeyValueChange(kind: .setting, reason: .sourceDeleted)])
      #expect(recorder.take() == [])
      withExtendedLifetime((observers, silent)) {}
    }

    @Test("P33: the deallocation of objects owned by the source is not reported")
    func ownedDeallocations() {
      var owner: Person? = Person("owner", boss: Person("boss"))
      owner!.friend = owner!.boss
      let observers = [
        KeyValueObserver(
          source: owner!, keyPath: \.friend?.name, options: .new, callback: recorder.callback("1")),
        KeyValueObserver(
          source: owner!, keyPath: \.boss?.friend?.name, options: .new,
          callback: recorder.callback("2")),
      ]
      owner!.boss!.friend = owner
      _ = recorder.take()
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(recorder.take() == ["1 → gone", "2 → gone"])
      withExtendedLifetime(observers) {}
    }

    @Test("P33: a source deallocated during registration or inside a callback is reported")
    func isDeallocatedEarly() {
      final class Holder { var person: Person? = Person("a") }
      let holder = Holder()
      let observer = KeyValueObserver(
        source: holder.person!, keyPath: \.name, options: [.new, .initial]
      ) { change, _ in
        self.recorder.write("·", change)
        holder.person = nil
      }
      #expect(recorder.take() == ["· →a", "· → gone"])

      holder.person = Person("b")
      let late = KeyValueObserver(source: holder.person!, keyPath: \.name, options: .new) {
        change, _ in
        self.recorder.write("·", change)
        holder.person = nil
      }
      holder.person!.name = "c"
      #expect(recorder.take() == ["· →c", "· → gone"])
      withExtendedLifetime((observer, late)) {}
    }

    @Test("P33: a cancelled observer is not notified of the deallocation")
    func cancelled() {
      var person: Person? = Person("a")
      let observer = KeyValueObserver(
        source: person!, keyPath: \.name, options: .new, callback: recorder.callback("·"))
      observer.cancel()
      observer.cancel()
      person = nil
      #expect(recorder.take() == [])
    }

    @Test("P31: an observer that another one cancels during deallocation is not called")
    func cancelledAtDeallocation() {
      var person: Person? = Person("a", boss: Person("b"))
      var second: [KeyValueObserver] = []
      let first = KeyValueObserver(source: person!, keyPath: \.name, options: []) { change, _ in
        self.recorder.write("1", change)
        second.forEach { $0.cancel() }
      }
      second = [
        KeyValueObserver(
          source: person!, keyPath: \.age, options: [], callback: recorder.callback("2")),
        KeyValueObserver(
          source: person!, keyPath: \.boss?.name, options: [], callback: recorder.callback("3")),
      ]
      withExtendedLifetime(person) {}
      person = nil
      #expect(recorder.take() == ["1 → gone"])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P33: a source deallocated on another thread ends its observations there")
    func isDeallocatedElsewhere() async {
      nonisolated(unsafe) var person: Person? = Person("a")
      let calls = Counter()
      let observer = KeyValueObserver(source: person!, keyPath: \.name, options: .new) {
        change, _ in
        if change.reason == .sourceDeleted { calls.increment() }
      }
      await Task.detached { person = nil }.value
      #expect(calls.value == 1)
      observer.cancel()
    }

    @Test("P34: object and observer may be deallocated in either order, further ends do nothing")
    func eitherOrder() {
      var person: Person? = Person("a", boss: Person("b"))
      let tokens = [
        person!.observe(\.name) { _, _ in },
        person!.observe(\.boss?.name) { _, _ in },
        person!.observe(\.friend?.title) { _, _ in },
        person!.onChange(of: \.name, \.title) {},
      ]
      person = nil
      for token in tokens {
        token.invalidate()
        token.invalidate()
      }
      let other = Person("b")
      var observer: KeyValueObserver? = KeyValueObserver(
        source: other, keyPath: \.title
      ) { _, _ in }
      observer?.cancel()
      observer = nil
      other.name = "c"
      #expect(other.name == "c")
    }

    @Test("P34: an observation may be dropped by the very change that replaces its path")
    func droppedByItsPath() {
      final class Screen {
        var token: KeyValueObservation?
        let person = Person("a", boss: Person("b"))
      }
      let screen = Screen()
      screen.token = screen.person.observe(\.boss?.name) { [unowned screen] _, _ in
        screen.token = nil
        self.recorder.write("received")
      }
      screen.person.boss = nil
      screen.person.boss = Person("c")
      #expect(recorder.take() == ["received"])
    }
  }
}

private final class Capture: Sendable {}

/// Set before threads begin and after they end.
private final class TokenHolder: @unchecked Sendable {
  var token: KeyValueObservation?
}
