import Foundation
import KeyValueObservingCore
import LifecycleObserving
import Testing

@MainActor
private final class MainScreen: @MainActor LifecycleOwner {
  let lifecycle = Lifecycle()
  var lines: [String] = []
}

@MainActor
private final class MainObserver: @MainActor LifecycleObserver {
  var shown = 0

  func didAppear(_ owner: any LifecycleOwner) { shown += 1 }
}

@MainActor @KeyValueObservable
private final class MainModel {
  var count = 0
}

/// May be set on any thread.
@KeyValueObservable
private final class SharedModel: Sendable {
  var count = 0
}

private actor Server {
  let screen = Screen()

  var lines: [String] { screen.lines }

  func run(_ model: SharedModel) {
    model.observe(\.count, while: .visible, of: screen, options: [.initial, .new]) {
      screen, change in screen.lines.append(text(change))
    }
    screen.lifecycle.move(to: .visible)
  }

  func close() {
    screen.lifecycle.move(to: .ended)
  }
}

@Suite("Lifecycles: isolation")
struct LifecycleIsolationTests {
  @Test("P40, P82: owner, observer and object of the main actor need no annotation at the call")
  @MainActor func mainActor() {
    let (screen, model, observer) = (MainScreen(), MainModel(), MainObserver())
    screen.addLifecycleObserver(observer)
    model.observe(\.count, while: .presented, of: screen, options: [.initial, .new]) {
      screen, change in screen.lines.append(text(change))
    }
    screen.lifecycle.move(to: .visible)
    model.count = 1
    #expect(screen.lines == ["→0", "→1"])
    #expect(observer.shown == 1)
    screen.lifecycle.move(to: .ended)
  }

  @Test(
    "P40, P82: a change on another thread is handed over to the main actor while the span lasts")
  @MainActor func handedOver() async {
    let (screen, model) = (MainScreen(), SharedModel())
    model.observe(\.count, while: .presented, of: screen, options: .new) { screen, change in
      MainActor.assertIsolated()
      screen.lines.append(text(change))
    }
    screen.lifecycle.move(to: .visible)
    await Task.detached { model.count = 1 }.value
    await settle { screen.lines == ["→1"] }
    #expect(screen.lines == ["→1"])
    screen.lifecycle.move(to: .loaded)
    await Task.detached { model.count = 2 }.value
    screen.lifecycle.move(to: .visible)
    model.count = 3
    #expect(screen.lines == ["→1", "→3"])
  }

  @Test("P40, P82: an actor has owners of its own")
  func ownActor() async {
    let (server, model) = (Server(), SharedModel())
    await server.run(model)
    model.count = 1
    while await server.lines.count < 2 { await Task.yield() }
    await server.close()
    model.count = 2
    #expect(await server.lines == ["→0", "→1"])
  }

  @Test("P8, P82: without an actor the handler is called on the thread that makes the change")
  func noActor() async {
    let (screen, model) = (Screen(), SharedModel())
    let counts = Counts()
    model.observe(\.count, while: .visible, of: screen, options: .new, isolation: nil) {
      _, change in counts.append(change.newValue ?? -1)
    }
    screen.lifecycle.move(to: .visible)
    await Task.detached { model.count = 1 }.value
    #expect(counts.values == [1])
    screen.lifecycle.move(to: .loaded)
    await Task.detached { model.count = 2 }.value
    #expect(counts.values == [1])
  }

  @Test(
    "P31, P82: exits race with changes on other threads, and nothing is delivered after an exit")
  func races() async {
    let model = SharedModel()
    let (screen, counts) = (Screen(), Counts())
    let subject: @Sendable (Screen) -> SharedModel? = { _ in model }
    SharedModel.observe(
      \.count, while: .visible, of: screen, subject: subject, options: [.initial, .new],
      isolation: nil
    ) { _, change in counts.append(change.newValue ?? -1) }
    let setters = (0..<4).map { _ in
      Task.detached { for _ in 0..<500 { model.count += 1 } }
    }
    for _ in 0..<200 {
      screen.lifecycle.move(to: .visible)
      screen.lifecycle.move(to: .loaded)
    }
    for setter in setters { await setter.value }
    let before = counts.values.count
    model.count = -1
    #expect(counts.values.count == before)
    screen.lifecycle.move(to: .visible)
    #expect(counts.values.last == -1)
  }

  @Test("P39, P84: an object that several threads replace is the one that is observed in the end")
  func replacedOnThreads() async {
    let (root, screen, counts) = (SharedRoot(), Screen(), Counts())
    SharedModel.observe(
      \.count, while: .visible, of: screen, subject: { _ in root.model }, options: .new,
      isolation: nil
    ) { _, change in counts.append(change.newValue ?? -1) }
    screen.lifecycle.move(to: .visible)
    let setters = (0..<4).map { _ in
      Task.detached { for _ in 0..<200 { root.model = SharedModel() } }
    }
    for setter in setters { await setter.value }
    let model = SharedModel()
    root.model = model
    _ = counts.take()
    model.count = 7
    #expect(counts.values == [7])
    screen.lifecycle.move(to: .ended)
    model.count = 8
    #expect(counts.values == [7])
  }

  @Test(
    "P31, P84: a stay that ends while other threads replace the object leaves nothing registered")
  func endedWhileReplaced() async {
    let (root, screen, counts) = (SharedRoot(), Screen(), Counts())
    let models = (0..<200).map { _ in SharedModel() }
    SharedModel.observe(
      \.count, while: .visible, of: screen, subject: { _ in root.model }, options: .new,
      isolation: nil
    ) { _, change in counts.append(change.newValue ?? -1) }
    for _ in 0..<20 {
      let setters = (0..<4).map { number in
        Task.detached {
          for model in models.dropFirst(number * 50).prefix(50) { root.model = model }
        }
      }
      for _ in 0..<50 {
        screen.lifecycle.move(to: .visible)
        screen.lifecycle.move(to: .loaded)
      }
      for setter in setters { await setter.value }
      for model in models { model.count += 1 }
      #expect(counts.take() == [])
    }
  }

  @Test("P31, P84: a stay that ends while another thread looks for the object is over")
  func endedWhileLookedFor() {
    let (root, screen, counts, gate) = (SharedRoot(), Screen(), Counts(), Gate())
    let model = SharedModel()
    SharedModel.observe(
      \.count, while: .visible, of: screen,
      subject: { _ in
        gate.pass()
        return root.model
      }, options: .new, isolation: nil
    ) { _, change in counts.append(change.newValue ?? -1) }
    screen.lifecycle.move(to: .visible)
    gate.close()
    let setter = Thread {
      root.model = model
      gate.hasFinished()
    }
    setter.start()
    // The change is evaluated, and then its observer looks for the object.
    gate.letOnePass()
    gate.waitForOne()
    screen.lifecycle.move(to: .loaded)
    gate.open()
    model.count = 1
    #expect(counts.values == [])
  }

  @MainActor private func settle(until isSettled: () -> Bool) async {
    while !isSettled() { await Task.yield() }
  }
}

@KeyValueObservable
private final class SharedRoot: Sendable {
  var model: SharedModel?
}

private final class Counts: @unchecked Sendable {  // `stored` is guarded by `lock`
  private let lock = Lock()
  private var stored: [Int] = []

  var values: [Int] { lock.withLock { stored } }

  func append(_ value: Int) { lock.withLock { stored.append(value) } }

  func take() -> [Int] {
    lock.withLock {
      defer { stored = [] }
      return stored
    }
  }
}

/// Holds another thread until a test lets it go on.
private final class Gate: @unchecked Sendable {  // `isClosed` is guarded by `lock`
  private let lock = Lock()
  private var isClosed = false
  private let arrivals = DispatchSemaphore(value: 0)
  private let departures = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)

  func pass() {
    guard lock.withLock({ isClosed }) else { return }
    arrivals.signal()
    departures.wait()
  }

  func close() { lock.withLock { isClosed = true } }

  func waitForOne() { #expect(arrivals.wait(timeout: .now() + 60) == .success) }

  func letOnePass() {
    waitForOne()
    departures.signal()
  }

  /// Lets the thread that waits go, and waits for its end.
  func open() {
    lock.withLock { isClosed = false }
    departures.signal()
    #expect(end.wait(timeout: .now() + 60) == .success)
  }

  func hasFinished() { end.signal() }
}
