import KeyValueObservingCore
import KeyValueObservingFoundation
import Testing

/// One message of the library: its name in the sources, its text, and the program that causes it.
struct Sentence: CustomTestStringConvertible, Sendable {
  /// The name of the function or case that makes the message, and behind a comma words
  /// that distinguish several messages of one name.
  let name: String
  let text: String
  /// Causes the message, as an error that it throws or as a diagnostic.
  let provoke: @Sendable () throws -> Void

  init(_ name: String, _ text: String, when provoke: @escaping @Sendable () throws -> Void) {
    self.name = name
    self.text = text
    self.provoke = provoke
  }

  var testDescription: String { name }

  /// The name without the words behind the comma, which is the identifier of a diagnostic.
  var id: String { String(name.prefix { $0 != "," }) }

  /// All errors and diagnostics that the program causes.
  func provoked() -> (errors: [String], diagnostics: [KeyValueDiagnostic]) {
    var errors: [String] = []
    let diagnostics = collectDiagnostics {
      do { try provoke() } catch { errors.append("\(error)") }
    }
    return (errors, diagnostics)
  }
}

/// The diagnostics that the task reports while a closure runs.
func collectDiagnostics(_ body: () throws -> Void) rethrows -> [KeyValueDiagnostic] {
  let log = DiagnosticList()
  try KeyValueDiagnostics.withHandler(log.handler, operation: body)
  return log.all
}

/// A handler that keeps what it receives.
final class DiagnosticList: @unchecked Sendable {  // `diagnostics` is guarded by `lock`
  // Not a `Mutex`, which ThreadSanitizer does not see on Linux.
  private let lock = Lock()
  private var diagnostics: [KeyValueDiagnostic] = []

  var all: [KeyValueDiagnostic] { lock.withLock { diagnostics } }
  var messages: [String] { all.map(\.message) }
  var keyPaths: [String?] { all.map(\.keyPath) }

  var handler: KeyValueDiagnostics.Handler { { self.append($0) } }

  func append(_ diagnostic: KeyValueDiagnostic) { lock.withLock { diagnostics.append(diagnostic) } }
}
