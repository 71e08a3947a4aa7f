import Foundation
import KeyValueObserving

/// Turns changes into lines, for people or for programs.
struct ChangePrinter {
  let isJSON: Bool
  let output: Output
  /// How wide the column of the key paths is.
  let width: Int
  var timeZone = TimeZone.current

  init(_ request: WatchRequest, _ output: Output) {
    isJSON = request.isJSON
    self.output = output
    width = request.keyPaths.map(\.count).max() ?? 0
  }

  /// The line of a change.
  func line(
    _ keyPath: String, _ change: KeyValueChange<Any?>, at time: Date
  ) -> String {
    isJSON ? object(keyPath, change, at: time) : row(keyPath, change, at: time)
  }

  private func row(_ keyPath: String, _ change: KeyValueChange<Any?>, at time: Date) -> String {
    let clock = time.formatted(.clock(in: timeZone))
    let color: Output.Color = change.reason == .pathChanged ? .yellow : .dim
    let old = output.colored(JSONText.text(of: change.oldValue ?? nil), .red)
    let new = output.colored(JSONText.text(of: change.newValue ?? nil), .green)
    let values =
      switch change.kind {
      case .setting, .replacement: "\(old) → \(new)"
      case .insertion: new
      case .removal: old
      }
    let places = change.indexes.map { "at \(Self.text(of: $0)): " } ?? ""
    return [
      output.colored(clock, .dim),
      output.colored(padded(keyPath, to: width), .bold),
      output.colored(padded(change.title, to: 13), color),
      places + values,
    ].joined(separator: "  ")
  }

  private func object(_ keyPath: String, _ change: KeyValueChange<Any?>, at time: Date) -> String {
    let indexes = change.indexes.map { "\"indexes\":\($0.ranges.flatMap { Array($0) })," }
    return """
      {"time":"\(time.formatted(.iso8601(in: .gmt)))","keyPath":\(JSONText.quoted(keyPath)),\
      "reason":"\(change.title)",\(indexes ?? "")\
      "old":\(JSONText.text(of: change.oldValue ?? nil)),\
      "new":\(JSONText.text(of: change.newValue ?? nil))}
      """
  }

  /// Places as a person writes them: `0, 3–5`.
  private static func text(of indexes: RangeSet<Int>) -> String {
    indexes.ranges.map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound - 1)"
    }.joined(separator: ", ")
  }

  /// The line of a value that is just there.
  func line(_ keyPath: String, value: Any?) -> String {
    let value = JSONText.text(of: value)
    if isJSON { return "{\"keyPath\":\(JSONText.quoted(keyPath)),\"value\":\(value)}" }
    return "\(output.colored(padded(keyPath, to: width), .bold))  \(value)"
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension KeyValueChange {
  /// Why it was made, or what it did to the elements of an array.
  fileprivate var title: String {
    switch kind {
    case .setting: reason == .pathChanged ? "path changed" : "value changed"
    case .insertion: "insertion"
    case .removal: "removal"
    case .replacement: "replacement"
    }
  }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
  fileprivate static func iso8601(in timeZone: TimeZone) -> Self {
    Self(includingFractionalSeconds: true, timeZone: timeZone)
  }

  fileprivate static func clock(in timeZone: TimeZone) -> Self {
    Self(timeZone: timeZone).time(includingFractionalSeconds: true)
  }
}
