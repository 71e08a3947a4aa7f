import KeyValueObserving
import Testing

/// Behaviors that the public test suites of other libraries check, as promises of this one.
///
/// The head of each file names the suites that its behaviors come from, and those of them that
/// are not ours.
@Suite enum PeerBehavior {}

/// Records changes and keeps tokens, for the length of a test.
final class Journal {
  private let recorder = Recorder()
  var tokens: Set<KeyValueObservation> = []

  /// Records the changes of a property under its name, or another one.
  @discardableResult
  func follow<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, as name: String? = nil,
    _ options: KeyValueObservation.Options = [.old, .new]
  ) -> KeyValueObservation {
    let name = name ?? Object.key(for: keyPath) ?? "?"
    let token = object.observe(keyPath, options: options, changeHandler: recorder.hears(name))
    token.store(in: &tokens)
    return token
  }

  func write(_ line: String) { recorder.write(line) }

  /// Returns what was recorded, and begins anew.
  func take() -> [String] { recorder.take() }
}
