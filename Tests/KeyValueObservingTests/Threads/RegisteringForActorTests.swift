import Dispatch
import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Registering for an actor that is known as a value.
  @Suite("Registering for an actor")
  struct RegisteringForActorTests {
    @MainActor
    @Test(
      "P40: what is registered for an actor elsewhere is called on the actor, the first change too")
    func elsewhere() async {
      let shared = Shared()
      let recorder = Recorder()
      let token = await register(for: MainActor.shared, shared, recorder)
      await Self.change(shared)
      while recorder.history.count < 4 { await Task.yield() }
      #expect(recorder.take() == ["typed →0", "string →0", "typed 0→1", "string 0→1"])
      shared.value = 2
      #expect(recorder.take() == ["typed 1→2", "string 1→2"])
      withExtendedLifetime(token) {}
    }

    @Test("P8: for no actor, a closure is called on the thread that makes the change")
    func none() throws {
      let shared = Shared()
      let recorder = Recorder()
      let token = shared.observe(
        \.value, options: [.old, .new, .initial], for: nil,
        changeHandler: recorder.receives("value"))
      shared.value = 1
      #expect(recorder.take() == ["value →0", "value 0→1"])
      withExtendedLifetime(token) {}
    }

    nonisolated private static func change(_ shared: Shared) async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          shared.value = 1
          continuation.resume()
        }
      }
    }

    nonisolated private func register(
      for actor: any Actor, _ shared: Shared, _ recorder: Recorder
    ) async -> [KeyValueObservation] {
      nonisolated(unsafe) let recorder = recorder
      return await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          let options: KeyValueObservation.Options = [.initial, .old, .new]
          let typed = shared.observe(\.value, options: options, for: actor) { _, change in
            MainActor.assumeIsolated { recorder.write("typed", change) }
          }
          let string = try! shared.observe("value", options: options, for: actor) { _, change in
            dispatchPrecondition(condition: .onQueue(.main))
            recorder.write("string", change)
          }
          continuation.resume(returning: [typed, string])
        }
      }
    }
  }
}
