internal import KeyValueObservingCore

/// The diagnostics that are reported while a block runs, with the calls that cause them.
final class DiagnosticLog: @unchecked Sendable {  // `entries` is guarded by `lock`
  private let lock = Lock()
  private var entries: [(diagnostic: KeyValueDiagnostic, stack: CallStack)] = []

  /// Records diagnostics while it is the handler of a task.
  var handler: KeyValueDiagnostics.Handler {
    { diagnostic in
      let stack = CallStack.capture()
      self.lock.withLock { self.entries.append((diagnostic, stack)) }
    }
  }

  /// The failure that shows the diagnostics, nil if there are none.
  var failure: String? {
    let entries = lock.withLock { self.entries }
    guard !entries.isEmpty else { return nil }
    let lines = entries.map { entry in
      let place = entry.stack.location.map { "\n    caused at \($0)" } ?? ""
      return "  \(entry.diagnostic)\(place)"
    }
    let count = lines.count == 1 ? "1 diagnostic was" : "\(lines.count) diagnostics were"
    return "\(count) reported in the block.\n\(lines.joined(separator: "\n"))"
  }
}
