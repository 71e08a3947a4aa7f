import KeyValueObservingCore
import KeyValueObservingFoundation
import Testing

/// One sentence of the library: what it is called in the sources, what it says, and what a program does
/// wrong to be told.
struct Sentence: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  /// What provokes it.
  ///
  /// An error that it throws says the sentence, unless a diagnostic does.
  let provoke: @Sendable () throws -> Void

  init(_ name: String, _ text: String, when provoke: @escaping @Sendable () throws -> Void) {
    self.name = name
    self.text = text
    self.provoke = provoke
  }

  var testDescription: String { name }

  /// All that is said.
  ///
  /// Call it in a process of its own: others cause diagnostics as well.
  func said() -> [String] {
    heard {
      do { try provoke() } catch { return ["\(error)"] }
      return []
    }
  }
}

/// What the handler hears while a closure runs, behind what that returns.
func heard(_ body: () throws -> [String]) rethrows -> [String] {
  let sentences = Sentences()
  KeyValueDiagnostics.handler = { sentences.append($0.description) }
  defer { KeyValueDiagnostics.handler = nil }
  return try body() + sentences.all
}

/// What the handler hears while a closure runs.
func diagnostics(_ body: () throws -> Void) rethrows -> [String] {
  try heard {
    try body()
    return []
  }
}

final class Sentences: @unchecked Sendable {  // `sentences` is guarded by `lock`
  // Not a `Mutex`, which ThreadSanitizer does not see on Linux.
  private let lock = Lock()
  private var sentences: [String] = []

  var all: [String] { lock.withLock { sentences } }

  func append(_ sentence: String) { lock.withLock { sentences.append(sentence) } }
}
