import KeyValueObserving

/// Records the changes that observers receive, so that a test compares the whole history.
///
/// A change reads `A old→new`: an absent value leaves its side empty, a nil one reads `nil`.
/// The kind with its indexes, `prior`, `path` and `gone` follow where they apply.
final class Recorder {
  private(set) var history: [String] = []

  /// A change handler that records the changes that `name` receives.
  func receives<Subject, Value>(_ name: String) -> (Subject, KeyValueChange<Value>) -> Void {
    { _, change in self.write(name, change) }
  }

  /// A callback of an observer with reasons.
  func callback<Value>(_ name: String) -> (KeyValueChange<Value>, KeyValueChangeReason) -> Void {
    { change, reason in
      precondition(change.reason == reason)
      self.write(name, change)
    }
  }

  func write<Value>(_ name: String, _ change: KeyValueChange<Value>) {
    var line = "\(name) \(side(change.oldValue))→\(side(change.newValue))"
    if change.kind == .setting {
      precondition(change.indexes == nil)
    } else {
      line += " \(change.kind)"
      if let indexes = change.indexes { line += " \(indexes.ranges.flatMap { Array($0) })" }
    }
    if change.isPrior { line += " prior" }
    switch change.reason {
    case .valueChanged: break
    case .pathChanged: line += " path"
    case .sourceDeleted: line += " gone"
    }
    history.append(line)
  }

  func write(_ line: String) {
    history.append(line)
  }

  /// Returns the history and begins a new one.
  func take() -> [String] {
    defer { history = [] }
    return history
  }

  private func side<Value>(_ value: Value?) -> String {
    guard let value else { return "" }
    var content: Any = value
    while true {
      let mirror = Mirror(reflecting: content)
      guard mirror.displayStyle == .optional else { return "\(content)" }
      guard let child = mirror.children.first else { return "nil" }
      content = child.value
    }
  }
}
