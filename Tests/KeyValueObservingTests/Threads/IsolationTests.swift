import Dispatch
import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
@MainActor
class Screen<Item> {
  var title = ""
  var item: Item?
  weak var parent: Screen<Item>?
  var width = 0.0 { didSet { widthSets += 1 } }
  @KeyValueIgnored var widthSets = 0
  var label: String { "\(title) \(width)" }
}

/// A combination of everything: isolated, generic, a subclass, weak, optional, with an observer.
@KeyValueObservable
@MainActor
final class DetailScreen<Item: AnyObject>: Screen<Item> {
  weak var selection: Item? { didSet { selections += 1 } }
  @KeyValueIgnored var selections = 0
}

/// Guards itself, so it may be changed from anywhere.
@KeyValueObservable
final class Shared: @unchecked Sendable {
  var value = 0
}

actor Listener {
  private(set) var received: [Int] = []
  private var tokens: [KeyValueObservation] = []
  private let isReleased: Counter

  init(isReleased: Counter = Counter()) { self.isReleased = isReleased }

  func listen(to shared: Shared, options: KeyValueObservation.Options = .new) {
    let canary = Canary { [isReleased] in isReleased.increment() }
    tokens.append(
      shared.observe(\.value, options: options) { _, change in
        // Isolated state is used without a hop, and without `assumeIsolated`.
        self.received.append(change.newValue!)
        _ = canary
      })
  }

  func listen(to shared: Shared, weakly: Bool) {
    let canary = Canary { [isReleased] in isReleased.increment() }
    tokens.append(
      shared.observe(\.value, options: .new) { [weak self] _, change in
        // Swift gives a closure the isolation of an actor that it captures strongly, and no other.
        self?.assumeIsolated { $0.received.append(change.newValue!) }
        _ = canary
      })
  }

  func set(_ value: Int, on shared: Shared) -> [Int] {
    shared.value = value
    return received
  }

  func stop() { tokens = [] }

  func takeTokens() -> [KeyValueObservation] {
    defer { tokens = [] }
    return tokens
  }
}

private actor OwnerOfItsExecutor {
  final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "actor")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  nonisolated let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func listen(to node: SharedNode) -> KeyValueObservation { node.observe(\.value) { _, _ in } }
}

extension AllTests {
  @Suite("Isolation")
  struct IsolationTests {
    @Test("P40: on the main actor a class and its observers need no annotation")
    @MainActor
    func mainActor() {
      let recorder = Recorder()
      let screen = DetailScreen<Person>()
      let parent = Screen<Person>()
      var taps = 0
      let tokens = [
        screen.observe(\.title, options: [.new, .old]) { screen, change in
          taps += 1
          recorder.write("title", change)
        },
        screen.observe(\.label, options: .new, changeHandler: recorder.receives("label")),
        screen.observe(\.parent?.title, options: .new, changeHandler: recorder.receives("parent")),
        screen.observe(\.selection?.name, options: .new, changeHandler: recorder.receives("name")),
      ]
      screen.title = "a"
      screen.width = 1
      screen.parent = parent
      parent.title = "p"
      var person: Person? = Person("Ann")
      screen.selection = person
      person!.name = "Bob"
      person = nil
      #expect(
        recorder.take() == [
          "title →a", "label →a 0.0", "label →a 1.0", "parent → path", "parent →p",
          "name →Ann path", "name →Bob", "name →nil path",
        ]
      )
      #expect(taps == 1 && screen.widthSets == 1 && screen.selections == 1)
      withExtendedLifetime((tokens, person)) {}
    }

    @Test("P40: a change made on the actor is delivered at once")
    func onTheActor() async {
      let shared = Shared()
      let listener = Listener()
      await listener.listen(to: shared)
      #expect(await listener.set(1, on: shared) == [1])
      await listener.stop()
    }

    @Test("P40: changes made elsewhere are handed to the actor in order, and nothing overtakes")
    func handedOver() async {
      let shared = Shared()
      let listener = Listener()
      await listener.listen(to: shared)
      for value in 1...50 { shared.value = value }
      #expect(await listener.set(51, on: shared) == Array(1...51))
      await listener.stop()
    }

    @Test("P40: what several observations hand to one actor is in order, and not overtaken")
    func handedOverTogether() async {
      let one = Shared()
      let other = Shared()
      let listener = Listener()
      await listener.listen(to: one)
      await listener.listen(to: other)
      for value in stride(from: 1, to: 50, by: 2) {
        one.value = value
        other.value = value + 1
      }
      #expect(await listener.set(51, on: other) == Array(1...51))
      await listener.stop()
    }

    @Test("P40: a change that is handed over has no prior")
    func noPrior() async {
      let shared = Shared()
      let listener = PriorListener()
      await listener.listen(to: shared)
      shared.value = 1
      await listener.set(2, on: shared)
      #expect(await listener.takeReceived() == ["after", "prior", "after"])
    }

    @Test("P40: a change handed over is not delivered after the end, and the closure is released")
    func endedElsewhere() async {
      let shared = Shared()
      let released = Counter()
      let listener = Listener(isReleased: released)
      await listener.listen(to: shared)
      let tokens = await listener.takeTokens()
      tokens.forEach { $0.invalidate() }
      shared.value = 1
      // The release was handed to the actor before this question.
      while released.value == 0 { await Task.yield() }
      #expect(await listener.received == [])
    }

    @Test("P5, P40: an actor that keeps its own observation can go")
    func actorGoes() async {
      let shared = Shared()
      let released = Counter()
      weak var watched: Listener?
      do {
        let listener = Listener(isReleased: released)
        await listener.listen(to: shared, weakly: true)
        shared.value = 7
        #expect(await listener.set(8, on: shared) == [7, 8])
        watched = listener
      }
      while watched != nil { await Task.yield() }
      shared.value = 1
      // The first that finds the actor deallocated releases the closure, its own end or this
      // change.
      while released.value == 0 { await Task.yield() }
      #expect(released.value == 1)
    }

    @Test("P34, P40: an actor that owns its executor may go before its observations")
    func goesWithItsExecutor() async {
      let node = SharedNode()
      weak var executor: AnyObject?
      let token: KeyValueObservation
      do {
        let owner = OwnerOfItsExecutor()
        token = await owner.listen(to: node)
        executor = owner.executor
      }
      while executor != nil { await Task.yield() }
      await Task.detached { node.value = 1 }.value
      #expect(node.value == 1)
      withExtendedLifetime(token) {}
    }

    @Test("P40: a deallocation elsewhere is the last notification on the actor")
    func deallocationElsewhere() async {
      let listener = ReasonListener()
      var shared: Shared? = Shared()
      await listener.listen(to: shared!)
      shared!.value = 1
      shared = nil
      while await listener.reasons.count < 2 { await Task.yield() }
      #expect(await listener.reasons == [.valueChanged, .sourceDeleted])
    }

    @Test("P34, P40: sets in an object's own deinit are delivered on the actor, not handed over")
    @MainActor
    func setInDeinit() async {
      let recorder = Recorder()
      for isElsewhere in [false, true] {
        let holder = Holder(nil)
        let observer = { () -> KeyValueObserver in
          let session = Session()
          holder.object = session
          return KeyValueObserver(
            source: session, keyPath: \.isOpen, options: .new, callback: recorder.callback("open"))
        }()
        if isElsewhere {
          await Task.detached { holder.object = nil }.value
        } else {
          holder.object = nil
        }
        while recorder.history.last != "open → gone" { await Task.yield() }
        #expect(recorder.take() == (isElsewhere ? [] : ["open →false"]) + ["open → gone"])
        observer.cancel()
      }
    }

    @Test(
      "P27, P40: a deallocation elsewhere leads paths of an isolated class to their new objects")
    @MainActor
    func weakDeallocationElsewhere() async throws {
      let recorder = Recorder()
      let window = Window()
      window.fallback = Window()
      var guest: Window? = Window()
      window.guest = guest
      let tokens = [
        window.observe(\.shown?.caption, options: .new, changeHandler: recorder.receives("typed")),
        try window.observe(
          "shown.caption", options: .new, changeHandler: recorder.receives("string")),
      ]
      let holder = Holder(guest)
      guest = nil
      await Task.detached { holder.object = nil }.value
      var received: [String] = []
      while received.count < 2 {
        received += recorder.take()
        await Task.yield()
      }
      #expect(received == ["typed →! path", "string →! path"])
      window.fallback?.title = "f"
      #expect(recorder.take() == ["typed →!", "string →!"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P34, P40: an isolated class computes on its actor, wherever a weak object is deallocated")
    @MainActor
    func computedAfterDeallocationElsewhere() async {
      let recorder = Recorder()
      let window = Window()
      window.fallback = Window()
      var guest: Window? = Window()
      window.guest = guest
      let token = window.observe(\.titles, options: .new) { _, change in
        recorder.write("\(change.newValue?.count ?? 0) titles")
      }
      var holder = Holder(guest)
      guest = nil
      await Task.detached { [holder] in holder.object = nil }.value
      var received: [String] = []
      while received.isEmpty {
        received = recorder.take()
        await Task.yield()
      }
      #expect(received == ["1 titles"])
      token.invalidate()
      var values = window.values(of: \.titles.count).makeAsyncIterator()
      guest = Window()
      window.guest = guest
      holder = Holder(guest)
      guest = nil
      await Task.detached { [holder] in holder.object = nil }.value
      var counts: [Int] = []
      while counts.count < 3, let count = await values.next() { counts.append(count) }
      #expect(counts == [1, 2, 1])
    }

    @Test("P32, P40: a deallocation elsewhere releases the closure, though its observer is kept")
    func releasedAtDeallocation() async {
      var listener: ReasonListener? = ReasonListener()
      weak let former = listener
      var shared: Shared? = Shared()
      await listener!.listen(to: shared!)
      shared = nil
      while await listener!.reasons.isEmpty { await Task.yield() }
      // The closure holds the actor, which holds the observer.
      listener = nil
      #expect(former == nil)
    }

    @Test("P8, P40: without an actor the closure runs where the change is made")
    func withoutActor() async {
      let shared = Shared()
      let received = Counter()
      let token = shared.observe(\.value, isolation: nil) { _, _ in received.increment() }
      await Task.detached {
        shared.value = 1
        #expect(received.value == 1)
      }.value
      token.invalidate()
    }
  }
}

@KeyValueObservable
private final class Session: @unchecked Sendable {
  var isOpen = true

  deinit { isOpen = false }
}

@KeyValueObservable
@MainActor
private final class Window {
  var title = ""
  weak var guest: Window?
  var fallback: Window?
  var shown: Window? { guest ?? fallback }
  @KeyValueDependent(on: "title") var caption: String { "!" }
  /// Swift checks that the closure runs on the actor.
  var titles: [String] { [guest, fallback].compactMap { $0?.title } }
}

/// Keeps an object until some thread lets go of it.
private final class Holder: @unchecked Sendable {  // used by one thread after the other
  var object: AnyObject?

  init(_ object: AnyObject?) {
    self.object = object
  }
}

actor PriorListener {
  private var received: [String] = []
  private var token: KeyValueObservation?

  func listen(to shared: Shared) {
    token = shared.observe(\.value, options: .prior) { _, change in
      self.received.append(change.isPrior ? "prior" : "after")
    }
  }

  func set(_ value: Int, on shared: Shared) { shared.value = value }

  func takeReceived() -> [String] {
    defer { received = [] }
    return received
  }
}

actor ReasonListener {
  private(set) var reasons: [KeyValueChangeReason] = []
  private var observer: KeyValueObserver?

  func listen(to shared: Shared) {
    observer = KeyValueObserver(source: shared, keyPath: \.value, options: .new) { _, reason in
      self.reasons.append(reason)
    }
  }
}
