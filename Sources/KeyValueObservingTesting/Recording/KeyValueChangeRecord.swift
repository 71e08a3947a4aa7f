/// One change in the history of a test: who heard it, and what it was.
///
/// Records are equal if everything about them is. Values are compared by equality; objects that are
/// not `Equatable` by identity, other values that are not `Equatable` part by part. An absent value
/// differs from one that is nil (P2). The type of an optional does not count: `"a"` in a `String?`
/// equals `"a"`, so that a history of a string key path, whose values are `Any?`, reads like one of
/// a typed key path.
public struct KeyValueChangeRecord: Equatable, CustomStringConvertible {
  /// The name under which the observation is recorded.
  public let name: String
  /// How the value changed.
  public let kind: KeyValueChangeKind
  /// The places of the elements that changed.
  public let indexes: RangeSet<Int>?
  /// Whether the change was about to be made.
  public let isPrior: Bool
  /// Where on the key path the change came from.
  public let reason: KeyValueChangeReason
  let oldValue: RecordedValue?
  let newValue: RecordedValue?

  /// Records a change under a name.
  ///
  /// The change may be written with the functions that the kit adds to `KeyValueChange`:
  /// `KeyValueChangeRecord("title", .setting(from: "a", to: "b"))`.
  ///
  /// - Parameters:
  ///   - name: The name of the observation in the record.
  ///   - change: The change to record.
  ///
  /// - Complexity: O(1).
  public init<Value>(_ name: String, _ change: KeyValueChange<Value>) {
    self.init(erased: name, change)
  }

  private init<Value>(erased name: String, _ change: KeyValueChange<Value>) {
    self.name = name
    kind = change.kind
    indexes = change.indexes
    isPrior = change.isPrior
    reason = change.reason
    oldValue = change.oldValue.map { RecordedValue($0) }
    newValue = change.newValue.map { RecordedValue($0) }
  }

  /// Records a change whose type of value nothing says, such as `.setting()`.
  ///
  /// - Parameters:
  ///   - name: The name of the observation in the record.
  ///   - change: The change to record.
  ///
  /// - Complexity: O(1).
  public init(_ name: String, _ change: KeyValueChange<Any?>) {
    self.init(erased: name, change)
  }

  /// The name and the change in one line, such as `title: setting from "a" to "b"`.
  public var description: String { line(\.description) }

  /// The same with the types of the values, where those are all that differs.
  var detailedDescription: String { line(\.detailedDescription) }

  private func line(_ text: (RecordedValue) -> String) -> String {
    let change = change(text)
    return name.isEmpty ? change : "\(name): \(change)"
  }

  /// What changed, in the words with which an expected change is written.
  private func change(_ text: (RecordedValue) -> String) -> String {
    let (oldValue, newValue) = (oldValue.map(text), newValue.map(text))
    var words: [String] = isPrior ? ["prior"] : []
    words.append("\(kind)")
    switch kind {
    case .setting, .replacement:
      if let oldValue { words.append("from \(oldValue)") }
      if let newValue { words.append("to \(newValue)") }
    case .insertion:
      if let newValue { words.append("of \(newValue)") }
      if let oldValue { words.append("from \(oldValue)") }
    case .removal:
      if let oldValue { words.append("of \(oldValue)") }
      if let newValue { words.append("to \(newValue)") }
    }
    if let indexes {
      words.append(
        "at \(indexes.ranges.flatMap { Array($0) }.map { "\($0)" }.joined(separator: ", "))")
    }
    let sentence = words.joined(separator: " ")
    return switch reason {
    case .valueChanged: sentence
    case .pathChanged: sentence + ", path changed"
    case .sourceDeleted: sentence + ", source deleted"
    }
  }
}
