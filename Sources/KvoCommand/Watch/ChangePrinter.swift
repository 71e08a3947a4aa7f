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
    let reason = change.reason == .pathChanged ? "path changed" : "value changed"
    let old = JSONText.text(of: change.oldValue ?? nil)
    let new = JSONText.text(of: change.newValue ?? nil)
    if isJSON {
      return """
        {"time":"\(time.formatted(.iso8601(in: .gmt)))","keyPath":\(JSONText.quoted(keyPath)),\
        "reason":"\(reason)","old":\(old),"new":\(new)}
        """
    }
    let clock = time.formatted(.clock(in: timeZone))
    let color: Output.Color = change.reason == .pathChanged ? .yellow : .dim
    return [
      output.colored(clock, .dim),
      output.colored(padded(keyPath, to: width), .bold),
      output.colored(padded(reason, to: 13), color),
      "\(output.colored(old, .red)) → \(output.colored(new, .green))",
    ].joined(separator: "  ")
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

extension FormatStyle where Self == Date.ISO8601FormatStyle {
  fileprivate static func iso8601(in timeZone: TimeZone) -> Self {
    Self(includingFractionalSeconds: true, timeZone: timeZone)
  }

  fileprivate static func clock(in timeZone: TimeZone) -> Self {
    Self(timeZone: timeZone).time(includingFractionalSeconds: true)
  }
}
