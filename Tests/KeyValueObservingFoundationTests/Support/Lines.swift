import KeyValueObservingFoundation

/// Writes down what handlers receive, each change as a line in the form of `describe(_:)`.
final class Lines {
  private var lines: [String] = []

  func add<Value>(_ name: String, _ change: KeyValueChange<Value>) {
    lines.append("\(name): \(describe(change.dictionary))")
  }

  func add(_ line: String) { lines.append(line) }

  /// Returns the lines and begins anew.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
