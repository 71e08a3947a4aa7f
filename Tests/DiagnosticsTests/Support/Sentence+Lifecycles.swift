import LifecycleObserving

private final class Screen: LifecycleOwner {
  let lifecycle: Lifecycle

  init(_ lifecycle: Lifecycle = Lifecycle()) {
    self.lifecycle = lifecycle
  }
}

private final class ScreenLog: LifecycleObserver {
  func didAppear(_ owner: any LifecycleOwner) { owner.lifecycle.move(to: .loaded) }
  func didDisappear(_ owner: any LifecycleOwner) { owner.lifecycle.move(to: .visible) }
}

extension Sentence {
  /// What lifecycles report.
  static let lifecycles = [
    Sentence(
      "impossibleMove",
      """
      A lifecycle that is ended was moved to visible, and stays ended: nothing leads back to created, \
      and nothing out of ended. Make a new owner, with a new lifecycle.
      """
    ) {
      let lifecycle = Lifecycle()
      lifecycle.move(to: .ended)
      lifecycle.move(to: .visible)
    },
    Sentence(
      "movesDoNotEnd",
      """
      A lifecycle was moved 1000 times by its own observers without coming to rest, and stays loaded. \
      Move it in a callback only if it is not yet in the phase that is wanted.
      """
    ) {
      let screen = Screen()
      screen.addLifecycleObserver(ScreenLog())
      screen.lifecycle.move(to: .visible)
    },
    Sentence(
      "ownerIsGone",
      """
      The lifecycle of Screen is used while it is loaded, but its owner has been deallocated, so nothing \
      is observed and no observer is notified. Move the lifecycle to ended before the owner goes, or \
      keep the owner.
      """
    ) {
      let lifecycle = Lifecycle()
      Screen(lifecycle).addLifecycleObserver(ScreenLog())
      lifecycle.move(to: .visible)
    },
    Sentence(
      "observerAfterEnd",
      """
      ScreenLog was not added to Screen, whose lifecycle has ended. Add lifecycle observers before the \
      end.
      """
    ) {
      let screen = Screen()
      screen.lifecycle.move(to: .ended)
      screen.addLifecycleObserver(ScreenLog())
    },
    Sentence(
      "observationAfterEnd",
      """
      Author is not observed while Screen is on screen, because its lifecycle has ended. Observe it \
      before the end.
      """
    ) {
      let screen = Screen()
      screen.lifecycle.move(to: .ended)
      Author().observe(\.age, while: .onScreen, of: screen) { _, _ in }
    },
    Sentence(
      "impossibleKeyPath",
      """
      'link.ago' of KeyValueDictionary is not observed while Screen is presented. Author has no key \
      'ago'. Did you mean 'age'?
      """
    ) {
      let (screen, root) = (Screen(), KeyValueDictionary())
      try root.observe("link.ago", while: .presented, of: screen) { _, _ in }
      root["link"] = Author()
      screen.lifecycle.move(to: .visible)
      screen.lifecycle.move(to: .loaded)
      screen.lifecycle.move(to: .visible)
    },
    Sentence(
      "childAfterEnd",
      """
      LifecycleController was not added as a child, because its lifecycle or that of its parent has \
      ended. Add children before the end.
      """
    ) {
      let (parent, child) = (LifecycleController(), LifecycleController())
      child.lifecycle.move(to: .ended)
      parent.addChild(child)
    },
    Sentence(
      "ancestorAsChild",
      """
      LifecycleController was not added as a child of itself or of one of its own children. Remove it \
      there first.
      """
    ) {
      let parent = LifecycleController()
      parent.addChild(parent)
    },
  ]
}
