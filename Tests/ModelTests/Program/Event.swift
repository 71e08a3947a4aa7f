import KeyValueObserving

/// One notification of one observer.
struct Event: Equatable, CustomStringConvertible {
  var observer: Int
  var isPrior = false
  var kind = KeyValueChangeKind.setting
  var indexes: [Int]?
  /// Nil is absent, `none` is present and nil (P2).
  var old: Value?
  var new: Value?
  var reason = KeyValueChangeReason.valueChanged

  var description: String {
    var line = "o\(observer) \(old?.description ?? "")→\(new?.description ?? "")"
    if kind != .setting { line += " \(kind) \(indexes ?? [])" }
    if isPrior { line += " prior" }
    if reason != .valueChanged { line += " \(reason)" }
    return line
  }
}

/// A value of a property, with nodes as numbers.
enum Value: Hashable, CustomStringConvertible {
  case none
  case number(Int)
  case list([Int])
  case node(Int)

  var isNode: Bool {
    if case .node = self { true } else { false }
  }

  var description: String {
    switch self {
    case .none: "nil"
    case .number(let number): "\(number)"
    case .list(let list): "\(list)"
    case .node(let node): "#\(node)"
    }
  }
}

/// The delivered changes, statement by statement.
typealias History = [[Event]]
