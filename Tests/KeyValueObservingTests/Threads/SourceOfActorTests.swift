import Foundation
import KeyValueObserving
import Testing

/// Belongs to the main actor, but for its value.
@MainActor
private final class MainCounter: @MainActor KeyValueSource {
  nonisolated let keyValueRegistrar = KeyValueRegistrar()
  nonisolated(unsafe) var count = 0
  var log: [String] = []

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }
  func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    .entry(key, of: MainCounter.self, get: { $0.count }, set: nil)
  }

  func didBecomeObserved(forKey key: String) {}
  func didBecomeUnobserved(forKey key: String) {}
  func willChangeInTransaction() { log.append("begin") }
  func didChangeInTransaction() { log.append("end") }
}

/// Sets the count in a transaction, on any thread.
private func set(_ count: Int, of object: some KeyValueObservable, _ write: (Any?) -> Void) {
  withKeyValueTransaction(onError: .deliver) {
    object.keyValueRegistrar.set(
      dynamicKey: "count", of: object, to: count, read: { nil }, write: write)
  }
}

@Suite struct SourcesOfActors {
  @Test("P74: a source whose conformance is isolated to an actor is notified on that only")
  @MainActor
  func transactionElsewhere() async {
    let counter = MainCounter()
    set(1, of: counter) { counter.count = $0 as! Int }
    #expect(counter.log == ["begin", "end"] && counter.count == 1)
    nonisolated(unsafe) let object: any KeyValueObservable = counter
    await withCheckedContinuation { continuation in
      Thread {
        set(2, of: object) { counter.count = $0 as! Int }
        continuation.resume()
      }.start()
    }
    #expect(counter.log == ["begin", "end"] && counter.count == 2)
    set(3, of: counter) { counter.count = $0 as! Int }
    #expect(counter.log == ["begin", "end", "begin", "end"] && counter.count == 3)
  }
}
