import Dispatch
import KeyValueObserving
import Testing

/// Guarded by the macro.
@KeyValueObservable
private final class Tank: Sendable {
  var level = 0
  var limit = 0
  var rest: Int { limit - level }
}

/// Changes that another thread makes while observers of an actor are being called.
@Suite @MainActor struct HandedOverMeanwhileTests {
  private let tank = Tank()
  private let recorder = Recorder()

  @Test("P11, P40: a change that is handed over while another one is delivered follows that")
  func plain() {
    let tokens = [
      observe(\.level, as: "a") { if $0 == 1 { setElsewhere { $0.level = 2 } } },
      observe(\.level, as: "b"), observe(\.rest, as: "rest"),
    ]
    tank.level = 1
    #expect(recorder.take() == ["a 0→1", "b 0→1", "rest 0→-1"])
    tank.limit = 5
    #expect(recorder.take() == ["a 1→2", "b 1→2", "rest -1→-2", "rest -2→3"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P11, P40: it comes before a change that its observers make behind that")
  func waiting() {
    let tokens = [
      observe(\.level, as: "a") { [tank] in
        if $0 != 1 { return }
        setElsewhere { $0.level = 2 }
        tank.level = 3
        setElsewhere { $0.level = 4 }
      },
      observe(\.level, as: "b"),
    ]
    tank.level = 1
    #expect(recorder.take() == ["a 0→1", "b 0→1", "a 1→2", "b 1→2", "a 2→3", "b 2→3"])
    tank.level = 5
    #expect(recorder.take() == ["a 3→4", "b 3→4", "a 4→5", "b 4→5"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P12, P40: it comes before one of another key, for the observers of that")
  func nested() {
    let tokens = [
      observe(\.level, as: "a") { [tank] in
        if $0 != 1 { return }
        setElsewhere { $0.level = 2 }
        setElsewhere { $0.limit = 6 }
        tank.limit = 7
      },
      observe(\.level, as: "b"), observe(\.limit, as: "limit"),
    ]
    tank.level = 1
    #expect(recorder.take() == ["a 0→1", "limit 0→6", "limit 6→7", "b 0→1"])
    tank.level = 3
    #expect(recorder.take() == ["a 1→2", "b 1→2", "a 2→3", "b 2→3"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P40, P46: it follows all changes of a transaction that is being delivered")
  func transaction() {
    let tokens = [
      observe(\.level, as: "level") { if $0 == 1 { setElsewhere { $0.limit = 6 } } },
      observe(\.limit, as: "limit"), observe(\.rest, as: "rest"),
    ]
    withKeyValueTransaction {
      tank.level = 1
      tank.limit = 5
    }
    #expect(recorder.take() == ["level 0→1", "limit 0→5", "rest 0→4"])
    tank.limit = 7
    #expect(recorder.take() == ["limit 5→6", "rest 4→5", "limit 6→7", "rest 5→6"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P11, P40: it follows it too if it comes before an observer of the actor is called")
  func beforeObserversOfActor() {
    let elsewhere = tank.observe(\.level, options: .new, isolation: nil) { tank, change in
      if change.newValue == 1 { setOnOtherThread(of: tank) { $0.level = 2 } }
    }
    let token = observe(\.level, as: "b")
    tank.level = 1
    #expect(recorder.take() == ["b 0→1"])
    tank.level = 3
    #expect(recorder.take() == ["b 1→2", "b 2→3"])
    for token in [elsewhere, token] { token.invalidate() }
  }

  @Test("P11, P48: it follows a transaction that an observer makes, and whose change waits")
  func waitingTransaction() {
    let tokens = [
      observe(\.level, as: "a") { [tank] in
        if $0 != 1 { return }
        withKeyValueTransaction { tank.level = 3 }
        setElsewhere { $0.level = 4 }
      },
      observe(\.level, as: "b"),
    ]
    tank.level = 1
    #expect(recorder.take() == ["a 0→1", "b 0→1", "a 1→3", "b 1→3"])
    tank.level = 5
    #expect(recorder.take() == ["a 3→4", "b 3→4", "a 4→5", "b 4→5"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P40, P46: it follows all changes of a transaction in which an observer makes another one")
  func nestedTransaction() {
    let other = Tank()
    let tokens = [
      observe(\.level, as: "level") {
        if $0 != 1 { return }
        withKeyValueTransaction { other.level = 1 }
        setElsewhere { $0.limit = 6 }
      },
      observe(\.limit, as: "limit"),
      other.observe(\.level, options: .new) { [recorder] _, _ in recorder.write("other") },
    ]
    withKeyValueTransaction {
      tank.level = 1
      tank.limit = 5
    }
    #expect(recorder.take() == ["level 0→1", "other", "limit 0→5"])
    tank.limit = 7
    #expect(recorder.take() == ["limit 5→6", "limit 6→7"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P15, P40: a change of a computed key that waits for an older one keeps its position")
  func computed() {
    let tokens = [
      observe(\.level, as: "a") { [tank] in
        if $0 != 1 { return }
        setElsewhere { $0.limit = 6 }
        tank.limit = 7
      },
      observe(\.level, as: "b"), observe(\.rest, as: "rest"),
    ]
    tank.level = 1
    #expect(recorder.take().last == "rest 5→6")
    tokens.forEach { $0.invalidate() }
  }

  @Test("P2, P40: nor does it come before that with the prior notification of the next one")
  func prior() {
    let tokens = ["a", "b"].map { name in
      tank.observe(\.level, options: [.old, .new, .prior]) { [recorder, tank] _, change in
        recorder.write(
          change.isPrior
            ? "\(name) prior \(change.oldValue!)"
            : "\(name) \(change.oldValue!)→\(change.newValue!)")
        guard name == "a", change.newValue == 1 else { return }
        setElsewhere { $0.level = 2 }
        tank.level = 3
      }
    }
    tank.level = 1
    let received = recorder.take().filter { $0.hasPrefix("b") && !$0.contains("prior") }
    #expect(received == ["b 0→1", "b 1→2", "b 2→3"])
    tokens.forEach { $0.invalidate() }
  }

  private func observe(
    _ keyPath: KeyPath<Tank, Int>, as name: String, then: @escaping (Int) -> Void = { _ in }
  ) -> KeyValueObservation {
    tank.observe(keyPath, options: [.old, .new]) { [recorder] _, change in
      recorder.write("\(name) \(change.oldValue!)→\(change.newValue!)")
      then(change.newValue!)
    }
  }

  private func setElsewhere(_ set: @escaping @Sendable (Tank) -> Void) {
    setOnOtherThread(of: tank, set)
  }
}

/// Sets on another thread, and returns when that has been done.
private func setOnOtherThread(of tank: Tank, _ set: @escaping @Sendable (Tank) -> Void) {
  let isSet = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    set(tank)
    isSet.signal()
  }
  isSet.wait()
}
