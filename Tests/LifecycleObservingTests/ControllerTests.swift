import KeyValueObservingTesting
import LifecycleObserving
import TestSupport
import Testing

@Suite("Lifecycles: controllers and their children")
struct ControllerTests {
  private func watched(_ name: String, _ log: Log) -> LifecycleController {
    let controller = LifecycleController()
    controller.addLifecycleObserver(Observer(name, log))
    return controller
  }

  @Test("P86: children receive every moment after their parent, through all levels")
  func nested() {
    let log = Log()
    let (root, child, leaf) = (watched("root", log), watched("child", log), watched("leaf", log))
    root.addChild(child)
    child.addChild(leaf)
    root.addChild(watched("other", log))
    root.lifecycle.move(to: .appearing)
    #expect(
      log.take() == [
        "root didLoad", "child didLoad", "leaf didLoad", "other didLoad", "root willAppear",
        "child willAppear", "leaf willAppear", "other willAppear",
      ])
    root.lifecycle.move(to: .ended)
    #expect(
      log.take() == [
        "root willDisappear", "child willDisappear", "leaf willDisappear", "other willDisappear",
        "root didDisappear", "child didDisappear", "leaf didDisappear", "other didDisappear",
      ])
    #expect(leaf.lifecycle.phase == .ended)
    #expect(root.children.isEmpty)
  }

  @Test("P86: a child that is added late is brought up to its parent, moment by moment")
  func late() {
    let log = Log()
    let (root, child) = (LifecycleController(), watched("child", log))
    root.lifecycle.move(to: .disappearing)
    root.addChild(child)
    root.addChild(child)
    #expect(root.children.count == 1)
    #expect(
      log.take() == [
        "child didLoad", "child willAppear", "child didAppear", "child willDisappear",
      ])
  }

  @Test("P86: a child that is removed disappears, and does not end")
  func removed() {
    let log = Log()
    let (root, child) = (LifecycleController(), watched("child", log))
    root.addChild(child)
    root.lifecycle.move(to: .visible)
    _ = log.take()
    root.removeChild(child)
    root.removeChild(child)
    #expect(log.take() == ["child willDisappear", "child didDisappear"])
    root.lifecycle.move(to: .ended)
    #expect(child.lifecycle.phase == .loaded)
    #expect(log.take() == [])
  }

  @Test("P86: a child that is added to another controller is removed from the first one")
  func moved() {
    let log = Log()
    let (first, second, child) = (
      LifecycleController(), LifecycleController(), watched("child", log)
    )
    first.addChild(child)
    first.lifecycle.move(to: .visible)
    second.lifecycle.move(to: .loaded)
    _ = log.take()
    second.addChild(child)
    #expect(first.children.isEmpty)
    #expect(log.take() == ["child willDisappear", "child didDisappear"])
    first.lifecycle.move(to: .ended)
    #expect(child.lifecycle.phase == .loaded)
  }

  @Test("P86: a child on screen disappears when its new parent is not loaded, and stays loaded")
  func unloadedParent() {
    let log = Log()
    let (root, child) = (LifecycleController(), watched("child", log))
    child.lifecycle.move(to: .visible)
    _ = log.take()
    root.addChild(child)
    #expect(log.take() == ["child willDisappear", "child didDisappear"])
    root.lifecycle.move(to: .visible)
    #expect(log.take() == ["child willAppear", "child didAppear"])
  }

  @Test("P86: a child that was removed in a callback of the same move does not follow it")
  func removedInCallback() {
    let log = Log()
    let (root, first, second) = (LifecycleController(), LifecycleController(), watched("b", log))
    let observer = Observer("a", log)
    observer.react = { moment, _ in
      if moment == .willAppear { root.removeChild(second) }
    }
    first.addLifecycleObserver(observer)
    root.addChild(first)
    root.addChild(second)
    root.lifecycle.move(to: .visible)
    #expect(log.take() == ["a didLoad", "b didLoad", "a willAppear", "a didAppear"])
    #expect(second.lifecycle.phase == .loaded)
    observer.react = { _, _ in }
  }

  @Test("P86: a child that ends by itself is removed, and released")
  func endedChild() {
    let (root, sibling) = (LifecycleController(), LifecycleController())
    weak var released: LifecycleController?
    do {
      let child = LifecycleController()
      released = child
      root.addChild(child)
      root.addChild(sibling)
      root.lifecycle.move(to: .visible)
      child.lifecycle.move(to: .ended)
      #expect(root.children.map(ObjectIdentifier.init) == [ObjectIdentifier(sibling)])
      #expect(child.lifecycle.phase == .ended)
    }
    #expect(released == nil)
    root.lifecycle.move(to: .loaded)
    #expect(sibling.lifecycle.phase == .loaded)
  }

  @Test("P86: a child that ends in a callback of its parent's end is removed with the others")
  func endedWithParent() {
    let log = Log()
    let (root, child, last) = (
      watched("root", log), LifecycleController(), watched("last", log)
    )
    let observer = Observer("root 2", log)
    observer.react = { moment, _ in
      if moment == .willDisappear { child.lifecycle.move(to: .ended) }
    }
    root.addLifecycleObserver(observer)
    root.addChild(child)
    root.addChild(last)
    root.lifecycle.move(to: .visible)
    root.lifecycle.move(to: .ended)
    #expect([child, last].allSatisfy { $0.lifecycle.phase == .ended })
    #expect(root.children.isEmpty)
    #expect(log.lines.filter { $0 == "last didDisappear" }.count == 1)
  }

  @Test("P86: a child may be any owner, and a child that moves its parent waits for the parent")
  func anyOwner() {
    let log = Log()
    let (root, screen) = (watched("root", log), Screen())
    let observer = Observer("screen", log)
    observer.react = { moment, _ in
      if moment == .didLoad { root.lifecycle.move(to: .loaded) }
    }
    screen.addLifecycleObserver(observer)
    root.addChild(screen)
    root.lifecycle.move(to: .visible)
    #expect(
      log.take() == [
        "root didLoad", "screen didLoad", "root willAppear", "screen willAppear", "root didAppear",
        "screen didAppear", "root willDisappear", "screen willDisappear", "root didDisappear",
        "screen didDisappear",
      ])
    observer.react = { _, _ in }
  }

  @Test("P86: the end of a parent takes time in proportion to its children")
  func manyChildren() {
    func time(_ count: Int) -> Duration {
      let root = LifecycleController()
      let children = (0..<count).map { _ in LifecycleController() }
      for child in children { root.addChild(child) }
      let time = processorTime { root.lifecycle.move(to: .ended) }
      #expect(children.allSatisfy { $0.lifecycle.phase == .ended })
      return time
    }
    #expect(slowdown(at: 2000, measuring: time) < 10)
  }

  @Test("P86: a parent retains its children, and children do not retain their parent")
  func retained() {
    weak var parent: LifecycleController?
    weak var child: LifecycleController?
    do {
      let controller = LifecycleController()
      parent = controller
      do {
        let made = LifecycleController()
        child = made
        controller.addChild(made)
      }
      #expect(child != nil)
      withExtendedLifetime(controller) {}
    }
    #expect(parent == nil)
    #expect(child == nil)
  }

  @Test(
    "P86: no controller becomes a child of itself or of its own children, nor one that has ended")
  func refused() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (root, child) = (LifecycleController(), LifecycleController())
      root.addChild(child)
      root.addChild(root)
      child.addChild(root)
      #expect(Diagnostics.take().count == 2)
      #expect(root.children.count == 1 && child.children.isEmpty)
      let ended = LifecycleController()
      ended.lifecycle.move(to: .ended)
      root.addChild(ended)
      ended.addChild(root)
      #expect(Diagnostics.take().count == 2)
      #expect(root.children.count == 1)
    }
  }

  @Test("P86: a child that is called back when its parent ends is no child any more")
  func endedInCallback() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      let (root, child, log) = (LifecycleController(), LifecycleController(), Log())
      let observer = Observer("child", log)
      observer.react = { moment, _ in
        guard moment == .willDisappear else { return }
        root.lifecycle.move(to: .ended)
        root.removeChild(child)
      }
      child.addLifecycleObserver(observer)
      root.addChild(child)
      root.lifecycle.move(to: .visible)
      child.lifecycle.move(to: .loaded)
      #expect(child.lifecycle.phase == .ended)
      #expect(Diagnostics.take() == [])
      observer.react = { _, _ in }
    }
  }
}
