import KeyValueObserving
import Synchronization
import Testing

// User code in Swift 6 mode, each kind of isolation once. That it compiles without a warning is
// half of the test: nothing is annotated, and nothing assumes an isolation.

/// View code: owns tokens and a task, and is called back where it lives.
@MainActor
private final class TitleView {
  private(set) var text = ""
  private(set) var layouts = 0
  private(set) var titles: [String] = []
  private(set) var friends: [String?] = []
  private var tokens: Set<KeyValueObservation> = []
  private var observer: KeyValueObserver?
  private var task: Task<Void, Never>?

  func show(_ screen: DetailScreen<Person>) {
    screen.observe(\.title, options: [.initial, .new]) { [unowned self] _, change in
      text = change.newValue ?? text
    }.store(in: &tokens)
    screen.onChange(of: \.width, \.title) { [unowned self] in layouts += 1 }.store(in: &tokens)
    observer = KeyValueObserver(source: screen, keyPath: \.selection?.friend?.name) {
      [unowned self] change, _ in friends.append(change.newValue ?? nil)
    }
    task = Task {
      for await title in screen.values(of: \.title) { titles.append(title) }
    }
  }

  func hide() async {
    tokens = []
    observer?.cancel()
    task?.cancel()
    await task?.value
  }
}

/// Keeps an object that is not `Sendable` to itself, and observes it.
private actor Keeper {
  private let person = Person("Ann", boss: Person("Bob"))
  private var tokens: [KeyValueObservation] = []
  private(set) var received: [String] = []

  func listen() throws {
    tokens.append(
      person.observe(\.name, options: [.old, .new]) { person, change in
        self.received.append("\(change.oldValue!) → \(person.name)")
      })
    person.observe(\.bossName, options: .new) { _, change in
      self.received.append(change.newValue!)
    }.store(in: &tokens)
    tokens.append(
      try person.observe("boss.title", options: .new) { _, change in
        self.received.append(change.newValue as? String ?? "nobody")
      })
  }

  func change() async -> [String] {
    var names = person.values(of: \.name).makeAsyncIterator()
    person.name = "Eve"
    person.boss?.name = "Cy"
    received.append(await names.next() ?? "")
    return received
  }
}

/// Guards itself, which the compiler can see: it is `Sendable` without being excused.
@KeyValueObservable
private final class LevelGauge: Sendable {
  @KeyValueIgnored private let stored = Atomic<Int>(0)

  var level: Int {
    get { stored.load(ordering: .sequentiallyConsistent) }
    set {
      withMutation(of: \.level) { stored.store(newValue, ordering: .sequentiallyConsistent) }
    }
  }
}

extension AllTests {
  @Suite("Isolation, as users write it", .timeLimit(.minutes(5)))
  struct IsolationSurfaceTests {
    @Test("P40, P41: view code on the main actor needs no annotation around a class of that actor")
    @MainActor
    func viewCode() async {
      let screen = DetailScreen<Person>()
      let view = TitleView()
      view.show(screen)
      while view.titles.isEmpty { await Task.yield() }
      screen.title = "a"
      #expect(view.text == "a" && view.layouts == 1)
      screen.width = 2
      let person = Person("Ann")
      person.friend = person
      screen.selection = person
      #expect(view.layouts == 2 && view.friends == [nil, "Ann"])
      while view.titles.count < 2 { await Task.yield() }
      #expect(view.titles == ["", "a"])
      await view.hide()
      screen.title = "b"
      screen.width = 3
      #expect(view.text == "a" && view.layouts == 2 && view.titles == ["", "a"])
    }

    @Test("P40, P41: an actor observes an object that it keeps to itself, and uses its own state")
    func keptByAnActor() async throws {
      let keeper = Keeper()
      try await keeper.listen()
      #expect(await keeper.change() == ["Ann → Eve", "Cy", "Cy (0)", "Ann"])
    }

    @Test("P38, P40: a Sendable class that guards itself is set and observed on every thread")
    func guardsItself() async {
      let gauge = LevelGauge()
      let received = Counter()
      let token = gauge.observe(\.level, options: .new, isolation: nil) { _, change in
        if change.newValue != nil { received.increment() }
      }
      await withTaskGroup { group in
        for task in 1...4 {
          group.addTask { for step in 0..<100 { gauge.level = 1000 * task + step } }
        }
      }
      #expect(received.value == 400)
      token.invalidate()
    }

    @Test("P40: what a callback is given crosses to another task where the values can")
    func crossing() async throws {
      let gauge = LevelGauge()
      let (changes, continuation) = AsyncStream.makeStream(of: KeyValueChange<Int>.self)
      let token = gauge.observe(\.level, options: [.old, .new]) { _, change in
        continuation.yield(change)
      }
      let observer = KeyValueObserver(source: gauge, keyPath: \.level) { _, reason in
        if reason == .sourceDeleted { continuation.finish() }
      }
      let received = Task.detached { await changes.first { $0.oldValue == 1 } }
      for level in 1...2 { gauge.level = level }
      #expect(await received.value?.newValue == 2)
      // Tokens, observers and sequences may be kept and ended anywhere.
      let values = gauge.values(of: \.level)
      let first = await Task.detached {
        token.invalidate()
        observer.cancel()
        return await values.first { _ in true }
      }.value
      #expect(first == 2)
    }
  }
}
