import Testing

@testable import KeyValueObservingMacros

@Suite("The guard of a Sendable class")
struct GuardTests {
  @Test("A variable of a Sendable class is accessed under a lock", arguments: guardedRows)
  func accessors(row: Row) { row.check(KeyValueStoredMacro.self) }

  @Test("A class gets the lock only if it guards a variable")
  func lock() {
    func hasLock(
      _ declaration: String, _ members: String, inheritsConformance: Bool = false
    ) -> Bool {
      Expansion(
        of: "@KeyValueObservable \(declaration) {\n  \(members)\n}",
        inheritsConformance: inheritsConformance
      ).text
        .contains("private let _$storageGuard = KeyValueObserving._$KeyValueGuard()")
    }
    #expect(hasLock("final class Job: Sendable", "var count = 0"))
    #expect(hasLock("final class Job: Codable & Sendable", "weak var next: Job?"))
    #expect(hasLock("final class Job: Sendable", "#if X\n  var count = 0\n  #endif"))
    #expect(hasLock("final class Job: Task, Sendable", "var count = 0", inheritsConformance: true))
    #expect(!hasLock("final class Job: Task, Sendable", "let id = 0", inheritsConformance: true))
    #expect(!hasLock("final class Job: Sendable", "let count = 0\n  var twice: Int { count * 2 }"))
    #expect(!hasLock("final class Job: Sendable", "@KeyValueIgnored var count = 0"))
    #expect(!hasLock("final class Job: Sendable", "nonisolated(unsafe) var count = 0"))
    #expect(!hasLock("class Job: @unchecked Sendable", "var count = 0"))
    #expect(!hasLock("@MainActor final class Job: Sendable", "var count = 0"))
    #expect(!hasLock("final class Job", "var count = 0"))
  }

  @Test(
    "A variable with observers of its own is refused in a Sendable class",
    arguments: ["willSet", "didSet"])
  func observers(observer: String) {
    func source(_ conformance: String) -> String {
      "@KeyValueObservable final class Job: \(conformance) {\n  var count = 0 { \(observer) {} }\n}"
    }
    let made = Expansion(of: source("Sendable"))
    #expect(
      made.messages == [
        "property 'count' of Sendable class 'Job' cannot have 'willSet' or 'didSet' because a lock "
          + "guards it; observe the property instead, or guard the class manually and declare it "
          + "'@unchecked Sendable'"
      ]
    )
    #expect(made.fixedSource == source("@unchecked Sendable"))
    #expect(Expansion(of: source("@unchecked Sendable")).messages.isEmpty)
  }

  @Test("A variable that is set while a lock is held is warned of", arguments: held)
  func warns(body: String, fixed: String) {
    let made = Expansion(of: job(body))
    #expect(made.messages.count == 1)
    #expect(made.messages.first?.contains("observers of 'state' are called before") == true)
    #expect(made.diagnostics.allSatisfy { $0.diagMessage.severity == .warning })
    #expect(made.fixedSource == job(fixed))
    #expect(Expansion(of: made.fixedSource).messages.isEmpty || fixed == body)
  }

  @Test("A variable that is set without a lock is not warned of", arguments: free)
  func isSilent(body: String) {
    #expect(Expansion(of: job(body)).messages == [])
  }
}

private func job(_ body: String) -> String {
  """
  @KeyValueObservable class Job: @unchecked Sendable {
    private var state = 0
    func run() {
      \(body)
    }
  }
  """
}

/// Source code, and the same after the fix-it.
private let held = [
  (
    "queue.sync(flags: .barrier) { state = 1 }",
    "withMutation(of: \\.state) { queue.sync(flags: .barrier) { state = 1 } }"
  ),
  (
    "lock.withLock { self.state += 1 }",
    "withMutation(of: \\.state) { lock.withLock { self.state += 1 } }"
  ),
  (
    "queue.sync { [weak self] in self?.state = 1 }",
    "withMutation(of: \\.state) { queue.sync { [weak self] in self?.state = 1 } }"
  ),
  (
    "lock.withLock { if done { list.forEach { state = $0 } } }",
    "withMutation(of: \\.state) { lock.withLock { if done { list.forEach { state = $0 } } } }"
  ),
  (
    "lock.withLock { state[0] = 1 }",
    "withMutation(of: \\.state) { lock.withLock { state[0] = 1 } }"
  ),
  (
    "lock.withLock { self.state?.items[0].name! += \"a\" }",
    "withMutation(of: \\.state) { lock.withLock { self.state?.items[0].name! += \"a\" } }"
  ),
  (
    "lock.withLock { (other.state, (self.state, _)) = (1, (2, 3)) }",
    "withMutation(of: \\.state) { lock.withLock { (other.state, (self.state, _)) = (1, (2, 3)) } }"
  ),
  (
    "queue.async { lock.withLock { self.state = 1 } }",
    "queue.async { withMutation(of: \\.state) { lock.withLock { self.state = 1 } } }"
  ),
  (
    "lock.lock(); defer { lock.unlock() }; state = 1",
    "lock.lock(); defer { lock.unlock() }; state = 1"
  ),
  (
    "lock.lock()\n    state = 1\n    lock.unlock()", "lock.lock()\n    state = 1\n    lock.unlock()"
  ),
]

private let free = [
  "state = 1",
  "lock.lock(); lock.unlock(); state = 1",
  "DispatchQueue.main.sync { state = 1 }",
  "queue.async { self.state = 1 }",
  "lock.withLock { queue.async { self.state = 1 } }",
  "lock.withLock { queue.asyncAfter(deadline: .now()) { self.state = 1 } }",
  "lock.withLock { Task { self.state = 1 } }",
  "lock.withLock { Task<Void, Never>(priority: .low) { self.state = 1 } }",
  "lock.withLock { Task.detached { self.state = 1 } }",
  "lock.withLock { queue.addOperation { self.state = 1 } }",
  "lock.withLock { group.addTask { self.state = 1 } }",
  "lock.withLock { handler = { self.state = 1 } }",
  "lock.lock(); queue.async { self.state = 1 }; lock.unlock()",
  "lock.withLock { func later() { state = 1 }; run(later) }",
  "lock.withLock { other.state[0] = 1 }",
  "lock.withLock { other[state].count = 1 }",
  "withMutation(of: \\.state) { lock.lock(); state = 1; lock.unlock() }",
  "lock.withLock { var state = 0; state = 1 }",
  "lock.withLock { if state == 1 { other.state = state } }",
]

private let guardedRows = [
  Row(
    "A value is exchanged under the lock, and is not mutated in place",
    #"""
    final class Job: Sendable {
      @_$KeyValueStored nonisolated var tags: [String] = []
    }
    """#,
    becomes: #"""
      final class Job: Sendable {
        nonisolated var tags: [String] {
          @storageRestrictions(initializes: _$tags)
          init(initialValue) {
            _$tags = initialValue
          }
          get {
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("tags", of: self)
            }
            return _$storageGuard.withLock { _$tags }
          }
          set {
            keyValueRegistrar._$set(
              "tags", in: self, to: newValue,
              read: {
                let object = (unsafe Swift.unsafeDowncast($0, to: Job.self))
                return object._$storageGuard.withLock { object._$tags }
              },
              exchange: { object, value in
                let object = (unsafe Swift.unsafeDowncast(object, to: Job.self))
                return object._$storageGuard.withLock { Swift.exchange(&object._$tags, with: value) }
              }
            )
          }
        }

        @safe private nonisolated(unsafe) var _$tags: [String] = []
      }
      """#
  ),
  Row(
    "A weak property is stored under the lock, and its getter names the object",
    #"""
    final class Job: Sendable {
      @_$KeyValueStored weak var next: Job?
    }
    """#,
    becomes: #"""
      final class Job: Sendable {
        weak var next: Job? {
          @storageRestrictions(initializes: _$next)
          init(initialValue) {
            _$next = initialValue
          }
          get {
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("next", of: self, target: _$storageGuard.withLock { _$next } as Swift.AnyObject?)
            }
            return _$storageGuard.withLock { _$next }
          }
          set {
            keyValueRegistrar.setWeak(
              "next", of: self, to: newValue,
              read: { _$storageGuard.withLock { _$next } },
              write: { value in _$storageGuard.withLock { _$next = value } }
            )
          }
        }

        @safe private nonisolated(unsafe) weak var _$next: Job?
      }
      """#
  ),
]
