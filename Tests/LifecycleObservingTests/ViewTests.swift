import KeyValueObservingTesting
import LifecycleObserving
import Testing

@Suite("Lifecycles: declarative views")
struct ViewTests {
  @Test("A value of closures calls them, and several values are one")
  func closures() {
    let log = Log()
    func part(_ name: String) -> ViewLifecycleObservable {
      ViewLifecycleObservable(
        onAppear: { log.lines.append("\(name) appears") },
        onDisappear: { log.lines.append("\(name) disappears") })
    }
    let view = ViewLifecycleObservable([part("a"), ViewLifecycleObservable(), part("b")])
    view.onAppear()
    view.onDisappear()
    #expect(log.lines == ["a appears", "b appears", "b disappears", "a disappears"])
  }

  @Test(
    "A value of an owner moves its lifecycle, and what is observed begins and ends with the view")
  func owner() {
    let (screen, scroller, log) = (Screen(), Scroller(), LifecycleEventLog())
    screen.addLifecycleObserver(log)
    scroller.observe(\.contentSize, while: .onScreen, of: screen, options: [.initial, .new]) {
      $0.lines.append(text($1))
    }
    let view = ViewLifecycleObservable(screen)
    view.onAppear()
    #expect(log.take() == [.didLoad, .willAppear, .didAppear])
    view.onDisappear()
    scroller.contentSize = 1
    view.onAppear()
    #expect(log.take() == [.willDisappear, .didDisappear, .willAppear, .didAppear])
    #expect(screen.take() == ["→0", "→1"])
  }
}
