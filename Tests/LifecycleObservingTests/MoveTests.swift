import KeyValueObservingTesting
import LifecycleObserving
import Testing

@Suite("Lifecycles: phases and moments")
struct MoveTests {
  private typealias Phase = Lifecycle.Phase
  private typealias Moment = Lifecycle.Moment

  @Test("P80: every move delivers each moment on its way, in order, and none is skipped")
  func ways() {
    let ways: [(from: [Phase], to: Phase, moments: [Moment])] = [
      ([], .loaded, [.didLoad]),
      ([], .appearing, [.didLoad, .willAppear]),
      ([], .visible, [.didLoad, .willAppear, .didAppear]),
      ([], .disappearing, [.didLoad, .willAppear, .didAppear, .willDisappear]),
      ([], .ended, []),
      ([.loaded], .appearing, [.willAppear]),
      ([.loaded], .visible, [.willAppear, .didAppear]),
      ([.loaded], .disappearing, [.willAppear, .didAppear, .willDisappear]),
      ([.loaded], .ended, []),
      ([.appearing], .visible, [.didAppear]),
      ([.visible], .disappearing, [.willDisappear]),
      ([.visible], .loaded, [.willDisappear, .didDisappear]),
      ([.visible], .ended, [.willDisappear, .didDisappear]),
      ([.visible], .appearing, [.willDisappear, .willAppear]),
      ([.visible, .disappearing], .loaded, [.didDisappear]),
      ([.visible, .disappearing], .ended, [.didDisappear]),
    ]
    for (phases, target, moments) in ways {
      let (screen, log) = (LifecycleController(), LifecycleEventLog())
      for phase in phases { screen.lifecycle.move(to: phase) }
      screen.addLifecycleObserver(log)
      _ = log.take()
      screen.lifecycle.move(to: target)
      #expect(log.events == moments, "\(phases) to \(target)")
      #expect(screen.lifecycle.phase == target)
    }
  }

  @Test("P80: an appearance that is cancelled has no did appear")
  func cancelledAppearance() {
    for target in [Phase.disappearing, .loaded, .ended] {
      let (screen, log) = (LifecycleController(), LifecycleEventLog())
      screen.addLifecycleObserver(log)
      screen.lifecycle.move(to: .appearing)
      screen.lifecycle.move(to: target)
      let moments: [Moment] = [.didLoad, .willAppear, .willDisappear, .didDisappear]
      #expect(log.events == (target == .disappearing ? moments.dropLast() : moments))
    }
  }

  @Test("P80: a disappearance that is cancelled, as by a pop gesture, has no did disappear")
  func cancelledDisappearance() {
    for targets in [[Phase.visible], [.appearing, .visible]] {
      let (screen, log) = (LifecycleController(), LifecycleEventLog())
      screen.addLifecycleObserver(log)
      screen.lifecycle.move(to: .disappearing)
      _ = log.take()
      for target in targets { screen.lifecycle.move(to: target) }
      #expect(log.events == [.willAppear, .didAppear])
    }
  }

  @Test("P80: moving to the present phase delivers nothing")
  func present() {
    for phase in Phase.allCases {
      let (screen, log) = (LifecycleController(), LifecycleEventLog())
      screen.addLifecycleObserver(log)
      screen.lifecycle.move(to: phase)
      let before = log.take()
      screen.lifecycle.move(to: phase)
      #expect(log.events == [], "\(phase) after \(before)")
    }
  }

  @Test("P80: the phase can be observed, by key path and by string")
  func phase() throws {
    let screen = LifecycleController()
    var phases: [Phase] = []
    let token = screen.lifecycle.observe(\.phase, options: [.old, .new]) { _, change in
      if let last = phases.last { #expect(change.oldValue == last) }
      phases.append(change.newValue!)
    }
    var count = 0
    let other = try screen.lifecycle.onChange("phase") { count += 1 }
    screen.lifecycle.move(to: .ended)
    #expect(phases == [.ended])
    #expect(throws: KeyValueCodingError.readOnly(type: Lifecycle.self, key: "phase")) {
      try screen.lifecycle.setValue(Phase.visible, forKey: "phase")
    }
    #expect(count == 1)
    withExtendedLifetime((token, other)) {}
  }

  @Test("P80: observers of the phase receive all phases on the way")
  func phasesOnTheWay() {
    let lifecycle = Lifecycle()
    var phases: [Phase] = []
    let token = lifecycle.onChange(of: \.phase) { phases.append($0) }
    lifecycle.move(to: .visible)
    lifecycle.move(to: .ended)
    #expect(phases == [.loaded, .appearing, .visible, .disappearing, .loaded, .ended])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P80: nothing leads back to created and nothing out of the end, which is one diagnostic each")
  func impossible() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (screen, log) = (LifecycleController(), LifecycleEventLog())
      screen.addLifecycleObserver(log)
      screen.lifecycle.move(to: .loaded)
      screen.lifecycle.move(to: .created)
      #expect(Diagnostics.take().count == 1)
      #expect(screen.lifecycle.phase == .loaded)
      screen.lifecycle.move(to: .ended)
      screen.lifecycle.move(to: .ended)
      #expect(Diagnostics.take() == [])
      screen.lifecycle.move(to: .visible)
      #expect(Diagnostics.take().count == 1)
      #expect(screen.lifecycle.phase == .ended)
      #expect(log.events == [.didLoad])
    }
  }
}
