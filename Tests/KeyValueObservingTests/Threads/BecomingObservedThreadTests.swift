import Dispatch
import Foundation
import KeyValueObserving
import Synchronization
import Testing

@testable import KeyValueObservingCore

/// Does something each time when it is notified of being observed.
private final class HookedSource: KeyValueSource, Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  let hook: @Sendable (String) -> Void

  init(hook: @escaping @Sendable (String) -> Void) { self.hook = hook }

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }
  func keyValueProperty(forKey key: String) -> KeyValueProperty? { Self.entry }

  private static let entry: KeyValueProperty = .entry(
    "key", of: HookedSource.self,
    get: { $0.keyValueRegistrar.value(of: entry, in: $0) { 0 } }, set: nil)

  func didBecomeObserved(forKey key: String) { hook("+\(key)") }
  func didBecomeUnobserved(forKey key: String) { hook("-\(key)") }

  func observe() -> KeyValueObservation {
    try! observe("key", isolation: nil) { _, _ in }
  }
}

/// Belongs to the main actor.
@MainActor
private final class MainSource: @MainActor KeyValueSource {
  nonisolated let keyValueRegistrar = KeyValueRegistrar()
  var log: [String] = []

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }
  func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    .entry(key, of: MainSource.self, get: { _ in 0 }, set: nil)
  }

  func didBecomeObserved(forKey key: String) { log.append("+\(key)") }
  func didBecomeUnobserved(forKey key: String) {
    MainActor.preconditionIsolated()
    log.append("-\(key)")
  }
}

extension AllTests {
  @Suite("Becoming observed on several threads")
  struct BecomingObservedThreadTests {
    @Test("P71: what other threads begin and end during a call follows it, on its thread")
    func duringACall() async {
      let log = Mutex<[String]>([])
      let caller = Mutex<ObjectIdentifier?>(nil)
      let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let isFirst = Atomic<Bool>(true)
      let source = HookedSource { event in
        let isCaller = caller.withLock { $0 == ObjectIdentifier(Thread.current) }
        log.withLock { $0.append("\(event) \(isCaller ? "caller" : "other")") }
        guard event == "-key", isFirst.exchange(false, ordering: .relaxed) else { return }
        isInside.signal()
        mayGoOn.wait()
      }
      let hasReturned = DispatchSemaphore(value: 0)
      let thread = Thread {
        caller.withLock { $0 = ObjectIdentifier(Thread.current) }
        source.observe().invalidate()
        hasReturned.signal()
      }
      thread.start()
      await withCheckedContinuation { continuation in
        Thread {
          isInside.wait()
          // Three changes of the state, of which the last one decides.
          source.observe().invalidate()
          let token = source.observe()
          mayGoOn.signal()
          hasReturned.wait()
          token.invalidate()
          continuation.resume()
        }.start()
      }
      #expect(log.withLock { $0 } == ["+key caller", "-key caller", "+key caller", "-key other"])
    }

    @MainActor
    @Test("P70, P40: a source of an actor is notified there, wherever its observation ends")
    func onItsActor() async throws {
      let source = MainSource()
      let token = try source.observe("key") { _, _ in }
      #expect(source.log == ["+key"])
      await withCheckedContinuation { continuation in
        Thread {
          token.invalidate()
          continuation.resume()
        }.start()
      }
      while source.log.count < 2 { await Task.yield() }
      #expect(source.log == ["+key", "-key"])
    }
  }
}
