/// One change in the history of a test, with the name of the observation that received it.
///
/// Records are equal if all of their properties are. Values are compared by equality, objects that
/// are not `Equatable` by identity, and other values that are not `Equatable` component by
/// component. An absent value differs from nil (P2). An optional equals its value: `"a"` in a
/// `String?` equals `"a"`, so that the history of a string key path, whose values are `Any?`, reads
/// like that of a typed key path.
public struct KeyValueChangeRecord: Equatable, CustomStringConvertible {
  /// The name under which the observation is recorded.
  public let name: String
  /// How the value changed.
  public let kind: KeyValueChangeKind
  /// The indexes of the elements that changed.
  public let indexes: RangeSet<Int>?
  /// Whether this is a prior notification.
  public let isPrior: Bool
  /// Whether the value itself changed, or an object on the key path.
  public let reason: KeyValueChangeReason
  let oldValue: RecordedValue?
  let newValue: RecordedValue?

  /// Records a change under a name.
  ///
  /// The module adds functions to `KeyValueChange` with which a change can be written:
  /// `KeyValueChangeRecord("title", .setting(from: "a", to: "b"))`.
  ///
  /// - Parameters:
  ///   - name: The name of the observation.
  ///   - change: The change that it received.
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

  /// Records a change from which no type of values can be inferred, such as `.setting()`.
  ///
  /// - Parameters:
  ///   - name: The name of the observation.
  ///   - change: The change that it received.
  ///
  /// - Complexity: O(1).
  public init(_ name: String, _ change: KeyValueChange<Any?>) {
    self.init(erased: name, change)
  }

  /// The name and the change in one line, such as `title: setting from "a" to "b"`.
  public var description: String { line(\.description) }

  /// The description with the types of the values, for records whose descriptions are equal.
  var detailedDescription: String { line(\.detailedDescription) }

  private func line(_ text: (RecordedValue) -> String) -> String {
    let change = change(text)
    return name.isEmpty ? change : "\(name): \(change)"
  }

  /// The change in the words of the functions with which an expected change is written.
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
