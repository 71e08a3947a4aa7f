import KeyValueObserving
import TestSupport
import Testing

/// Behaviors that the public test suites of other libraries check, as promises of this one.
///
/// The head of each file names the suites that its behaviors come from, and those of them that
/// are not ours.
@Suite(.endingObservations) enum PeerBehavior {}

/// Records changes and keeps tokens, for the length of a test.
final class Journal {
  private let recorder = Recorder()

  /// The tokens of the test, which are released when it is over: handlers capture the journal.
  var tokens: Set<KeyValueObservation> {
    get { EndingObservations.tokens.value }
    set { EndingObservations.tokens.exchange(newValue) }
  }

  /// Records the changes of a property under its name, or another one.
  @discardableResult
  func follow<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, as name: String? = nil,
    _ options: KeyValueObservation.Options = [.old, .new]
  ) -> KeyValueObservation {
    let name = name ?? Object.key(for: keyPath) ?? "?"
    let token = object.observe(keyPath, options: options, changeHandler: recorder.receives(name))
    token.store(in: &tokens)
    return token
  }

  func write(_ line: String) { recorder.write(line) }

  /// Returns what was recorded, and begins anew.
  func take() -> [String] { recorder.take() }
}

/// Ends the observations of each test when it is over.
struct EndingObservations: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var tokens = Guarded<Set<KeyValueObservation>>([])

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let tokens = Guarded<Set<KeyValueObservation>>([])
    defer { tokens.exchange([]) }
    try await Self.$tokens.withValue(tokens, operation: function)
  }
}

extension Trait where Self == EndingObservations {
  static var endingObservations: Self { Self() }
}
