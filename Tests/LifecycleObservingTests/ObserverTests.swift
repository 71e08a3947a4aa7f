import KeyValueObservingTesting
import LifecycleObserving
import Testing

@Suite("Lifecycles: observers")
struct ObserverTests {
  @Test("P81: observers are notified in the order in which they were added")
  func order() {
    let (screen, log) = (Screen(), Log())
    for name in ["a", "b", "c"] { screen.addLifecycleObserver(Observer(name, log)) }
    screen.lifecycle.move(to: .appearing)
    #expect(
      log.lines == [
        "a didLoad", "b didLoad", "c didLoad", "a willAppear", "b willAppear", "c willAppear",
      ])
  }

  @Test("P81: a late observer is brought up to the phase, moment by moment")
  func late() {
    let soFar: [(Lifecycle.Phase, [Lifecycle.Moment])] = [
      (.created, []), (.loaded, [.didLoad]), (.appearing, [.didLoad, .willAppear]),
      (.visible, [.didLoad, .willAppear, .didAppear]),
      (.disappearing, [.didLoad, .willAppear, .didAppear, .willDisappear]),
    ]
    for (phase, moments) in soFar {
      let (screen, log) = (Screen(), LifecycleEventLog())
      screen.lifecycle.move(to: phase)
      screen.addLifecycleObserver(log)
      #expect(log.events == moments)
    }
  }

  @Test(
    "P81: a late observer is not brought up through appearances that are over or were cancelled")
  func lateAfterOthers() {
    let (screen, log) = (Screen(), LifecycleEventLog())
    screen.lifecycle.move(to: .visible)
    screen.lifecycle.move(to: .loaded)
    screen.lifecycle.move(to: .appearing)
    screen.lifecycle.move(to: .disappearing)
    screen.addLifecycleObserver(log)
    #expect(log.events == [.didLoad, .willAppear, .willDisappear])
  }

  @Test("P81: an observer that is added twice is there once")
  func twice() {
    let (screen, log) = (Screen(), LifecycleEventLog())
    screen.addLifecycleObserver(log)
    screen.lifecycle.move(to: .loaded)
    screen.addLifecycleObserver(log)
    #expect(log.take() == [.didLoad])
    screen.lifecycle.move(to: .appearing)
    #expect(log.take() == [.willAppear])
    screen.removeLifecycleObserver(log)
    screen.lifecycle.move(to: .visible)
    #expect(log.take() == [])
  }

  @Test("P81: a move inside a callback is made when all have been notified of the present moment")
  func moveInCallback() {
    let (screen, log) = (Screen(), Log())
    let observer = Observer("a", log)
    observer.react = { moment, owner in
      if moment == .willAppear {
        owner.lifecycle.move(to: .ended)
        log.lines.append("still \(owner.lifecycle.phase)")
      }
    }
    screen.addLifecycleObserver(observer)
    screen.addLifecycleObserver(Observer("b", log))
    screen.lifecycle.move(to: .visible)
    #expect(
      log.lines == [
        "a didLoad", "b didLoad", "a willAppear", "still appearing", "b willAppear", "a didAppear",
        "b didAppear", "a willDisappear", "b willDisappear", "a didDisappear", "b didDisappear",
      ])
    #expect(screen.lifecycle.phase == .ended)
  }

  @Test("P81: a move while a late observer is brought up is made when it has been")
  func moveWhileBroughtUp() {
    let (screen, log) = (Screen(), Log())
    screen.lifecycle.move(to: .visible)
    let observer = Observer("a", log)
    observer.react = { moment, owner in
      if moment == .didLoad { owner.lifecycle.move(to: .loaded) }
    }
    screen.addLifecycleObserver(observer)
    #expect(
      log.lines == [
        "a didLoad", "a willAppear", "a didAppear", "a willDisappear", "a didDisappear",
      ])
  }

  @Test(
    "P81: an observer that is added in a callback is brought up, and notified of each moment once")
  func addedInCallback() {
    let (screen, log) = (Screen(), Log())
    let observer = Observer("a", log)
    observer.react = { moment, owner in
      if moment == .willAppear { owner.addLifecycleObserver(Observer("b", log)) }
    }
    screen.addLifecycleObserver(observer)
    screen.lifecycle.move(to: .visible)
    #expect(
      log.lines == [
        "a didLoad", "a willAppear", "b didLoad", "b willAppear", "a didAppear", "b didAppear",
      ])
  }

  @Test("P81: an observer that is removed in a callback is not notified if its turn has not come")
  func removedInCallback() {
    let (screen, log) = (Screen(), Log())
    let (first, second) = (Observer("a", log), Observer("b", log))
    first.react = { _, owner in
      owner.removeLifecycleObserver(second)
      owner.removeLifecycleObserver(first)
    }
    screen.addLifecycleObserver(first)
    screen.addLifecycleObserver(second)
    screen.lifecycle.move(to: .visible)
    #expect(log.lines == ["a didLoad"])
    first.react = { _, _ in }
  }

  @Test("P81: an observer that removes itself while it is brought up receives nothing more")
  func removedWhileBroughtUp() {
    let (screen, log) = (Screen(), Log())
    screen.lifecycle.move(to: .visible)
    let observer = Observer("a", log)
    observer.react = { [unowned observer] _, owner in owner.removeLifecycleObserver(observer) }
    screen.addLifecycleObserver(observer)
    screen.lifecycle.move(to: .loaded)
    #expect(log.lines == ["a didLoad"])
  }

  @Test("P81: an observer is retained until it is removed, or until the end")
  func retained() {
    let (screen, log) = (Screen(), Log())
    weak var removed: Observer?
    weak var kept: Observer?
    do {
      let (first, second) = (Observer("a", log), Observer("b", log))
      (removed, kept) = (first, second)
      screen.addLifecycleObserver(first)
      screen.addLifecycleObserver(second)
    }
    #expect(removed != nil)
    screen.removeLifecycleObserver(removed!)
    #expect(removed == nil)
    #expect(kept != nil)
    screen.lifecycle.move(to: .ended)
    #expect(kept == nil)
  }

  private final class SelfObserver: LifecycleOwner, LifecycleObserver {
    let lifecycle = Lifecycle()
    let log: Log

    init(_ log: Log) {
      self.log = log
      addLifecycleObserver(self)
    }

    func didAppear(_ owner: any LifecycleOwner) { log.lines.append("own: \(owner === self)") }
  }

  @Test("P81: an owner that observes itself is not retained by its lifecycle")
  func ownObserver() {
    let log = Log()
    weak var released: SelfObserver?
    do {
      let screen = SelfObserver(log)
      released = screen
      screen.lifecycle.move(to: .visible)
      #expect(log.lines == ["own: true"])
    }
    #expect(released == nil)
  }

  @Test("P14, P81: the owner lives until all observers have been notified of a moment")
  func ownerInCallback() {
    let log = Log()
    var screen: Screen? = Screen()
    let lifecycle = screen!.lifecycle
    let observer = Observer("a", log)
    observer.react = { _, _ in screen = nil }
    screen!.addLifecycleObserver(observer)
    screen!.addLifecycleObserver(Observer("b", log))
    lifecycle.move(to: .loaded)
    #expect(log.lines == ["a didLoad", "b didLoad"])
  }

  @Test("P18, P81: observers that never stop moving are stopped, with one diagnostic")
  func endless() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (screen, log) = (Screen(), Log())
      let observer = Observer("a", log)
      observer.react = { moment, owner in
        if moment == .didAppear { owner.lifecycle.move(to: .loaded) }
        if moment == .didDisappear { owner.lifecycle.move(to: .visible) }
      }
      screen.addLifecycleObserver(observer)
      screen.lifecycle.move(to: .visible)
      #expect(Diagnostics.take().count == 1)
      observer.react = { _, _ in }
      screen.lifecycle.move(to: .ended)
      #expect(screen.lifecycle.phase == .ended)
      #expect(Diagnostics.take() == [])
    }
  }

  @Test("P81: after the end an observer is not added, which is one diagnostic")
  func afterEnd() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (screen, log) = (Screen(), LifecycleEventLog())
      screen.lifecycle.move(to: .ended)
      screen.addLifecycleObserver(log)
      #expect(Diagnostics.take().count == 1)
      screen.removeLifecycleObserver(log)
      #expect(log.events == [])
    }
  }

  @Test(
    "P81: observers of an owner that is gone are dropped, with one diagnostic for the lifecycle")
  func ownerIsGone() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let lifecycle = Lifecycle()
      final class Owner: LifecycleOwner {
        let lifecycle: Lifecycle
        init(_ lifecycle: Lifecycle) { self.lifecycle = lifecycle }
      }
      let log = LifecycleEventLog()
      do {
        let owner = Owner(lifecycle)
        owner.addLifecycleObserver(log)
        owner.addLifecycleObserver(LifecycleEventLog())
        withExtendedLifetime(owner) {}
      }
      lifecycle.move(to: .visible)
      lifecycle.move(to: .ended)
      #expect(Diagnostics.take().count == 1)
      #expect(log.events == [])
    }
  }
  @Test("P81: one that is added in a callback of the phase is notified of the present moment once")
  func addedByObserverOfPhase() {
    let (screen, log) = (Screen(), Log())
    let model = Scroller(1)
    let token = screen.lifecycle.observe(\.phase) { lifecycle, _ in
      if lifecycle.phase == .visible { screen.addLifecycleObserver(Observer("a", log)) }
    }
    let prior = screen.lifecycle.observe(\.phase, options: .prior) { lifecycle, change in
      if change.isPrior, lifecycle.phase == .created {
        screen.addLifecycleObserver(Observer("c", log))
      }
    }
    model.observe(\.contentSize, while: .visible, of: screen, options: .initial) { screen, _ in
      screen.addLifecycleObserver(Observer("b", log))
    }
    screen.lifecycle.move(to: .visible)
    #expect(
      log.take() == [
        "c didLoad", "c willAppear", "a didLoad", "a willAppear", "a didAppear", "b didLoad",
        "b willAppear", "b didAppear", "c didAppear",
      ])
    withExtendedLifetime((token, prior)) {}
  }
}
