import KeyValueObservingTesting
import LifecycleObserving
import TestSupport
import Testing

@Suite("Lifecycles: how scoped observations end")
struct ScopeEndTests {
  @Test("P83: the lifecycle keeps the observation, which may be ended early")
  func early() {
    let (screen, scroller) = (Screen(), Scroller())
    let observation = scroller.observe(
      \.contentSize, while: .onScreen, of: screen, options: [.initial, .new]
    ) { $0.lines.append(text($1)) }
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == ["→0"])
    observation.invalidate()
    observation.invalidate()
    scroller.contentSize = 1
    screen.lifecycle.move(to: .loaded)
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == [])
  }

  @Test("P83: the lifecycle does not keep an observation that was ended, also if it does not move")
  func endedIsReleased() {
    let (screen, scroller) = (Screen(), Scroller())
    weak var released: LifecycleObservation?
    do {
      let observation = scroller.observe(\.contentSize, while: .onScreen, of: screen) { _, _ in }
      released = observation
      observation.invalidate()
    }
    #expect(released == nil)
  }

  @Test("P83: ended in the handler of its own initial change, it is not called again")
  func endedInInitial() {
    let (screen, scroller) = (Screen(), Scroller())
    var observation: LifecycleObservation?
    observation = scroller.observe(\.contentSize, while: .onScreen, of: screen, options: .initial) {
      screen, _ in
      screen.lines.append("called")
      observation?.invalidate()
    }
    expectNoLiveObservations {
      screen.lifecycle.move(to: .visible)
      scroller.contentSize = 1
    }
    #expect(screen.take() == ["called"])
    observation = nil
  }

  @Test("P83: ended in another callback of the move that enters its span, it does not begin")
  func endedBeforeEntry() {
    let (screen, scroller) = (Screen(), Scroller())
    var second: LifecycleObservation?
    scroller.observe(\.contentSize, while: .onScreen, of: screen, options: .initial) { _, _ in
      second?.invalidate()
    }
    second = scroller.observe(\.contentSize, while: .onScreen, of: screen, options: .initial) {
      screen, _ in screen.lines.append("called")
    }
    screen.lifecycle.move(to: .visible)
    #expect(screen.take() == [])
    second = nil
  }

  @Test("P83: to declare many observations takes time in proportion to them")
  func manyObservations() {
    func time(_ count: Int) -> Duration {
      let (screen, scroller) = (Screen(), Scroller())
      return processorTime {
        for _ in 0..<count {
          scroller.observe(\.contentSize, while: .visible, of: screen) { _, _ in }
        }
      }
    }
    #expect(slowdown(at: 3000, measuring: time) < 10)
  }

  @Test("P83: neither the owner nor the observed object is retained")
  func notRetained() {
    weak var releasedScreen: Screen?
    weak var releasedScroller: Scroller?
    do {
      let (screen, scroller) = (Screen(), Scroller())
      (releasedScreen, releasedScroller) = (screen, scroller)
      scroller.observe(\.contentSize, while: .loaded, of: screen, options: [.initial, .new]) {
        $0.lines.append(text($1))
      }
      screen.lifecycle.move(to: .visible)
      withExtendedLifetime((screen, scroller)) {}
    }
    #expect(releasedScreen == nil)
    #expect(releasedScroller == nil)
  }

  @Test("P83: it ends with the owner, inside its span")
  func ownerEnds() {
    let scroller = Scroller()
    weak var log: Log?
    var kept: Log? = Log()
    log = kept
    expectNoLiveObservations {
      let screen = Screen()
      scroller.observe(\.contentSize, while: .onScreen, of: screen) { [kept] _, _ in
        kept?.lines.append("called")
      }
      screen.lifecycle.move(to: .visible)
      scroller.contentSize = 1
      withExtendedLifetime(screen) {}
    }
    scroller.contentSize = 2
    #expect(log?.lines == ["called"])
    kept = nil
    #expect(log == nil)
  }

  @Test("P83: one that is kept elsewhere ends with the owner, inside its span or outside")
  func ownerEndsBeforeToken() {
    let scroller = Scroller()
    weak var released: Log?
    for phase in Lifecycle.Phase.allCases where phase != .ended {
      var observation: LifecycleObservation?
      expectNoLiveObservations {
        let (screen, log) = (Screen(), Log())
        released = log
        observation = scroller.observe(\.contentSize, while: .presented, of: screen) { _, _ in
          log.lines.append("called")
        }
        screen.lifecycle.move(to: phase)
        withExtendedLifetime(screen) {}
      }
      #expect(observation?.isActive == false)
      #expect(released == nil)
    }
  }

  @Test("P31, P83: an observation may be ended while another thread releases its owner")
  func ownerEndsElsewhere() async {
    let scroller = Scroller()
    for _ in 0..<500 {
      nonisolated(unsafe) var screen: Screen? = Screen()
      let observation = scroller.observe(\.contentSize, while: .presented, of: screen!) {
        $0.lines.append(text($1))
      }
      screen?.lifecycle.move(to: .visible)
      let release = Task.detached { screen = nil }
      observation.invalidate()
      await release.value
      #expect(!observation.isActive)
    }
  }

  @Test("P83: it ends with the lifecycle, which releases the handler")
  func lifecycleEnds() {
    let (screen, scroller) = (Screen(), Scroller())
    weak var released: Log?
    do {
      let log = Log()
      released = log
      scroller.observe(\.contentSize, while: .onScreen, of: screen) { _, _ in
        log.lines.append("called")
      }
    }
    screen.lifecycle.move(to: .visible)
    #expect(released != nil)
    expectNoLiveObservations { screen.lifecycle.move(to: .ended) }
    #expect(released == nil)
  }

  @Test("P83: an observation of an object that is gone is forgotten when its span begins next")
  func subjectGone() {
    let screen = Screen()
    weak var released: Log?
    do {
      let (scroller, log) = (Scroller(), Log())
      released = log
      scroller.observe(\.contentSize, while: .onScreen, of: screen, options: .initial) { _, _ in
        log.lines.append("called")
      }
      screen.lifecycle.move(to: .visible)
      withExtendedLifetime(scroller) {}
    }
    screen.lifecycle.move(to: .loaded)
    screen.lifecycle.move(to: .visible)
    #expect(released == nil)
  }

  @Test("P83: observations of objects that are gone do not pile up in one stay")
  func subjectsGone() {
    let (screen, scroller) = (Screen(), Scroller())
    screen.lifecycle.move(to: .visible)
    scroller.observe(\.contentSize, while: .onScreen, of: screen, options: .new) {
      $0.lines.append(text($1))
    }
    var logs: [WeakLog] = []
    for _ in 0..<1000 {
      let (scroller, log) = (Scroller(), Log())
      logs.append(WeakLog(log: log))
      scroller.observe(\.contentSize, while: .onScreen, of: screen) { _, _ in
        log.lines.append("called")
      }
    }
    #expect(logs.count { $0.log != nil } <= 16)
    scroller.contentSize = 1
    #expect(screen.take() == ["→1"])
  }

  private struct WeakLog {
    weak let log: Log?
  }

  @Test("P83: after the end of the lifecycle nothing is registered, which is one diagnostic")
  func afterEnd() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (screen, scroller) = (Screen(), Scroller())
      screen.lifecycle.move(to: .ended)
      let observation = scroller.observe(
        \.contentSize, while: .onScreen, of: screen, options: .initial
      ) { screen, _ in screen.lines.append("called") }
      #expect(Diagnostics.take().count == 1)
      observation.invalidate()
      #expect(Diagnostics.take() == [])
      #expect(throws: KeyValueCodingError.self) {
        try scroller.observe("nothing", while: .onScreen, of: screen) { _, _ in }
      }
      #expect(screen.take() == [])
    }
  }

  @Test("P83: a lifecycle that is used after its owner is gone reports one diagnostic")
  func ownerIsGone() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (lifecycle, scroller) = (Lifecycle(), Scroller())
      final class Owner: LifecycleOwner {
        let lifecycle: Lifecycle
        init(_ lifecycle: Lifecycle) { self.lifecycle = lifecycle }
      }
      do {
        let owner = Owner(lifecycle)
        for _ in 0..<3 {
          scroller.observe(\.contentSize, while: .onScreen, of: owner, options: .initial) { _, _ in
            Issue.record("called without an owner")
          }
        }
        Scroller.observe(
          \.contentSize, while: .onScreen, of: owner, subject: { _ in scroller }, options: .initial
        ) { _, _ in Issue.record("called without an owner") }
        withExtendedLifetime(owner) {}
      }
      expectNoLiveObservations {
        lifecycle.move(to: .visible)
        scroller.contentSize = 1
        lifecycle.move(to: .ended)
      }
      #expect(Diagnostics.take().count == 1)
    }
  }

  @Test(
    "P83: observing in the deinitializer of the owner registers nothing, which is one diagnostic")
  func inDeinit() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      final class Owner: LifecycleOwner {
        let lifecycle = Lifecycle()
        let scroller: Scroller
        init(_ scroller: Scroller) { self.scroller = scroller }
        deinit {
          scroller.observe(\.contentSize, while: .loaded, of: self) { _, _ in }
          addLifecycleObserver(LifecycleEventLog())
        }
      }
      let scroller = Scroller()
      do {
        let owner = Owner(scroller)
        owner.lifecycle.move(to: .loaded)
        withExtendedLifetime(owner) {}
      }
      scroller.contentSize = 1
      #expect(Diagnostics.take().count == 1)
    }
  }

  @Test("P83: a string key path that is impossible at an entry is one diagnostic, and tried again")
  func impossibleAtEntry() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (screen, root) = (Screen(), KeyValueDictionary(["link": nil]))
      try root.observe("link.top", while: .visible, of: screen, options: [.initial, .new]) {
        $0.lines.append("\($1.newValue.map { "\($0 ?? "nil")" } ?? "absent")")
      }
      root["link"] = Scroller()
      screen.lifecycle.move(to: .visible)
      screen.lifecycle.move(to: .loaded)
      screen.lifecycle.move(to: .visible)
      #expect(Diagnostics.take().count == 1)
      #expect(screen.take() == [])
      screen.lifecycle.move(to: .loaded)
      root["link"] = Inset()
      screen.lifecycle.move(to: .visible)
      #expect(screen.take() == ["0"])
      #expect(Diagnostics.take() == [])
    }
  }
}
