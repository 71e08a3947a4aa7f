import KeyValueObserving
import LifecycleObserving
import Synchronization
import Testing

/// Moves in a transaction whose body throws.
@Suite struct RolledBackMoveTests {
  private struct Failure: Error {}

  @Test(
    "P51, P80: a move in a transaction that is rolled back stays, and is delivered and reported")
  func rolledBack() {
    let (screen, scroller, log) = (Screen(), Scroller(1), Log())
    screen.addLifecycleObserver(Observer("·", log))
    scroller.observe(\.contentSize, while: .visible, of: screen) { screen, _ in
      screen.lines.append("size")
    }
    var phases: [Lifecycle.Phase] = []
    let token = screen.lifecycle.onChange(of: \.phase) { phases.append($0) }
    let reported = Mutex<[KeyValueDiagnostic.ID]>([])
    KeyValueDiagnostics.withHandler({ diagnostic in reported.withLock { $0.append(diagnostic.id) } }
    ) {
      try? withKeyValueTransaction {
        screen.lifecycle.move(to: .visible)
        #expect(phases == [])
        throw Failure()
      }
    }
    #expect(reported.withLock { $0 } == [.unrestoredValue])
    #expect(screen.lifecycle.phase == .visible)
    #expect(phases == [.visible])
    #expect(log.take() == ["· didLoad", "· willAppear", "· didAppear"])
    scroller.contentSize = 2
    #expect(screen.take() == ["size"])
    screen.lifecycle.move(to: .loaded)
    #expect(log.take() == ["· willDisappear", "· didDisappear"])
    scroller.contentSize = 3
    #expect(screen.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test("P51, P84: the diagnostic names the phase, and each property of several objects once")
  func namesOfDiagnostic() {
    let (screen, other) = (Screen(), Screen())
    screen.scroller = Scroller(1)
    for _ in 0..<2 {
      Scroller.observe(\.contentSize, while: .onScreen, of: screen, subject: { $0.scroller }) {
        screen, change in screen.lines.append("size")
      }
    }
    let messages = Mutex<[String]>([])
    KeyValueDiagnostics.withHandler({ diagnostic in messages.withLock { $0.append("\(diagnostic)") }
    }) {
      try? withKeyValueTransaction {
        for lifecycle in [screen.lifecycle, other.lifecycle] { lifecycle.move(to: .visible) }
        throw Failure()
      }
    }
    #expect(
      messages.withLock { $0 }.map { $0.prefix { $0 != "." } } == ["Lifecycle"])
    #expect(messages.withLock { $0 }.first?.contains("and those of") == false)
    screen.scroller?.contentSize = 2
    #expect(screen.take() == ["size", "size"])
  }

  @Test("P80, P84: after a move in a transaction that is rolled back the closure is called")
  func subject() {
    let (screen, scrollers) = (Screen(), [Scroller(1), Scroller(2)])
    Scroller.observe(
      \.contentSize, while: .onScreen, of: screen, subject: { $0.scroller },
      options: [.initial, .new]
    ) { $0.lines.append(text($1)) }
    screen.lifecycle.move(to: .appearing)
    KeyValueDiagnostics.withHandler({ _ in }) {
      try? withKeyValueTransaction {
        screen.scroller = scrollers[0]
        screen.lifecycle.move(to: .visible)
        throw Failure()
      }
    }
    #expect(screen.take() == ["→1"])
    withKeyValueTransaction {
      screen.scroller = scrollers[1]
      screen.lifecycle.move(to: .disappearing)
    }
    #expect(screen.take() == ["→2"])
  }

  @Test("P21, P80: a computed property that reads the phase follows it")
  func computed() {
    let tab = Tab()
    var values: [Bool] = []
    let token = tab.onChange(of: \.isShown) { values.append($0) }
    tab.lifecycle.move(to: .visible)
    tab.lifecycle.move(to: .loaded)
    #expect(values == [false, false, true, false, false])
    withExtendedLifetime(token) {}
  }
}

@KeyValueObservable
private final class Tab {
  let lifecycle = Lifecycle()
  var isShown: Bool { lifecycle.phase == .visible }
}
