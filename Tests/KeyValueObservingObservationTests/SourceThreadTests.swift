import Synchronization
import Testing

@testable import KeyValueObservingObservation

@Suite("A model that other threads change")
struct SourceThreadTests {
  @Test("P96: changes that do not race with the renewal arrive from other threads, on the actor")
  @MainActor
  func otherThread() async {
    let history = History()
    let model = SharedModel()
    let source = ObservableSource(model)
    let token = source.observe(\.count, options: [.old, .new]) { _, change in
      MainActor.assertIsolated()
      history.write("\(change)")
    }
    for value in 1...20 {
      await Task.detached { model.count = value }.value
      #expect(await history.next() == ["setting from \(value - 1) to \(value)"])
    }
    withExtendedLifetime((source, token)) {}
  }

  @Test("P96: a change that another thread reports before it is made is delivered when it is made")
  @MainActor
  func lateChange() async {
    let history = History()
    let model = SharedModel()
    let source = ObservableSource(model)
    let token = source.observe(\.count, options: [.old, .new], changeHandler: history.handler())
    await Task.detached { model.report() }.value
    source.changes.deliver()
    #expect(history.take() == [])
    model.store(1)
    #expect(await history.next() == ["setting from 0 to 1"])
    withExtendedLifetime((source, token)) {}
  }

  @Test("P96: a reported change to an equal value is delivered, also after one of another thread")
  @MainActor
  func equalChange() async {
    let history = History()
    let model = SharedModel()
    let source = ObservableSource(model)
    let token = source.observe(\.count, options: [.old, .new], changeHandler: history.handler())
    model.count = 0
    #expect(await history.next() == ["setting from 0 to 0"])
    await Task.detached { model.count = 1 }.value
    #expect(await history.next() == ["setting from 0 to 1"])
    model.count = 1
    source.changes.deliver()
    #expect(history.take() == ["setting from 1 to 1"])
    await Task.detached { model.report() }.value
    source.changes.deliver()
    #expect(history.take() == [])
    withExtendedLifetime((source, token)) {}
  }

  @Test("P96: a change that nothing has reported is delivered with the next one")
  @MainActor
  func unreportedChange() async {
    let history = History()
    let model = SharedModel()
    let source = ObservableSource(model)
    let token = source.observe(\.count, options: [.old, .new], changeHandler: history.handler())
    model.store(1)
    model.count = 2
    #expect(await history.next() == ["setting from 0 to 2"])
    withExtendedLifetime((source, token)) {}
  }

  @Test("P96: an observation may begin and end on any thread")
  func registering() async {
    let model = SharedModel()
    let source = await Self.source(of: model)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for value in 0..<50 {
            let token = source.value.observe(\.count, isolation: nil) { _, _ in }
            model.count = value
            token.invalidate()
          }
        }
      }
    }
    let history = await Self.history(of: source)
    #expect(history == ["setting to 1000"])
  }

  /// Is passed between threads, as a source of a model that is `Sendable` may be.
  struct Shared: @unchecked Sendable {
    let value: ObservableSource<SharedModel>
  }

  @MainActor
  static func source(of model: SharedModel) -> Shared { Shared(value: ObservableSource(model)) }

  @MainActor
  static func history(of source: Shared) async -> [String] {
    let history = History()
    let token = source.value.observe(
      \.count, options: .new, changeHandler: history.handler())
    source.value.model.count = 1000
    defer { withExtendedLifetime(token) {} }
    return await history.next()
  }
}

/// A model that any thread may change, as one has to write it for `@Observable`.
final class SharedModel: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let stored = Mutex(0)

  var count: Int {
    get {
      registrar.access(self, keyPath: \.count)
      return stored.withLock { $0 }
    }
    set {
      report()
      store(newValue)
    }
  }

  /// The first half of a set.
  func report() { registrar.willSet(self, keyPath: \.count) }

  /// The second one, which is not reported.
  func store(_ count: Int) { stored.withLock { $0 = count } }
}
