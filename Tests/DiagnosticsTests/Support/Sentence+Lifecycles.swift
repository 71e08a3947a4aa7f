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
  /// The diagnostics of lifecycles.
  static let lifecycles = [
    Sentence(
      "impossibleMove",
      """
      Lifecycle.move(to: .visible): the lifecycle stays ended, because it cannot be moved back to \
      created or out of ended. Create a new owner with a new lifecycle.
      """
    ) {
      let lifecycle = Lifecycle()
      lifecycle.move(to: .ended)
      lifecycle.move(to: .visible)
    },
    Sentence(
      "nonConvergentMoves",
      """
      Lifecycle.move(to:): observers moved the lifecycle 1000 times, and it stays loaded. Guard \
      the move in the callback, such as `if lifecycle.phase != wanted { … }`.
      """
    ) {
      let screen = Screen()
      screen.addLifecycleObserver(ScreenLog())
      screen.lifecycle.move(to: .visible)
    },
    Sentence(
      "deallocatedOwner",
      """
      Lifecycle of Screen: the owner was deallocated while the lifecycle is loaded, so nothing is \
      observed and no observer is notified. Move the lifecycle to ended before its owner is \
      deallocated, or retain the owner.
      """
    ) {
      let lifecycle = Lifecycle()
      Screen(lifecycle).addLifecycleObserver(ScreenLog())
      lifecycle.move(to: .visible)
    },
    Sentence(
      "observerAfterEnd",
      """
      Screen.addLifecycleObserver(_:): ScreenLog is not added, because the lifecycle has ended. \
      Add lifecycle observers before the lifecycle ends.
      """
    ) {
      let screen = Screen()
      screen.lifecycle.move(to: .ended)
      screen.addLifecycleObserver(ScreenLog())
    },
    Sentence(
      "observationAfterEnd",
      """
      Author.observe(_:while: .onScreen, of:): the object is not observed, because the lifecycle \
      of Screen has ended. Observe it before the lifecycle ends.
      """
    ) {
      let screen = Screen()
      screen.lifecycle.move(to: .ended)
      Author().observe(\.age, while: .onScreen, of: screen) { _, _ in }
    },
    Sentence(
      "invalidScopedKeyPath",
      """
      KeyValueDictionary.observe("link.ago", while: .presented, of:): the key path is not observed \
      for Screen, because Author has no key 'ago'. Did you mean 'age'?
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
      addChild(_:): LifecycleController is not added, because its lifecycle or that of the parent \
      has ended. Add children before their lifecycles end.
      """
    ) {
      let (parent, child) = (LifecycleController(), LifecycleController())
      child.lifecycle.move(to: .ended)
      parent.addChild(child)
    },
    Sentence(
      "ancestorAsChild",
      """
      addChild(_:): LifecycleController is not added, because it is the parent or one of its \
      ancestors. Remove the parent from its own parent first.
      """
    ) {
      let parent = LifecycleController()
      parent.addChild(parent)
    },
  ]
}
