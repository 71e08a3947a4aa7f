/// A program over a few nodes that are held by numbered variables.
///
/// It is a value, so that the model and the library can run the same one, and it can be shrunk.
struct Program: Hashable, Sendable {
  var statements: [Statement]

  /// Whether callbacks do anything but record.
  var hasActions: Bool {
    statements.contains { statement in
      if case .observe(let registration) = statement {
        return !registration.actions.isEmpty || !registration.priorActions.isEmpty
      }
      return false
    }
  }

  /// How many variables there are.
  ///
  /// Each holds a node at first; nodes are numbered as they are made.
  static let variableCount = 3

  /// Whether the nodes of a variable are of the subclass.
  static func isBranch(_ variable: Int) -> Bool { variable == variableCount - 1 }

  /// Sets that show which observers are still attached, made after the statements.
  static let finale: [Statement] = (0..<variableCount).flatMap { variable in
    [
      Statement.set(variable, .x, .number(7)), .set(variable, .y, .number(8)),
      .set(variable, .tags, .list([9])),
    ]
  }
}

/// A statement about the node of a variable.
///
/// Without a node it does nothing.
enum Statement: Hashable, Sendable {
  case set(Int, Key, Operand)
  case mutate(Int, Mutation)
  case edit(Int, TagsEdit, by: EditForm)
  /// Sets a number to one value after the other, each of which is a change.
  case burst(Int, Key, Range<Int>)
  /// Runs statements in a mutation block of a property, which is one change (P19).
  case scope(Int, Key, [Statement])
  /// Begins a pair, in one of two spellings.
  case will(Int, Key, byKey: Bool)
  /// Completes the last pair that is open for a property, if there is one.
  case did(Int, Key, byKey: Bool)
  case observe(Registration)
  case end(observer: Int)
  case make(Int)
  case drop(Int)
}

/// The value of an assignment.
enum Operand: Hashable, Sendable {
  case number(Int)
  case list([Int])
  /// The node of a variable, or nil.
  case node(Int?)
}

struct Registration: Hashable, Sendable {
  var observer: Int
  var root: Int
  var path: [Key]
  var options: Set<Option>
  var surface: Surface
  /// Statements that its callback runs, one for each change, the initial one included.
  ///
  /// They are finite, so every program settles.
  var actions: [Statement] = []
  /// Statements that its callback runs, one for each prior notification.
  var priorActions: [Statement] = []
}

enum Option: String, CaseIterable, Comparable, Sendable {
  case initial, new, old, prior, distinct

  static func < (left: Option, right: Option) -> Bool { left.rawValue < right.rawValue }
}

/// How an observer registers.
enum Surface: CaseIterable, Hashable, Sendable {
  /// `observe` with a typed key path.
  case typed
  /// `observe` with a string.
  case string
  /// `KeyValueObserver` with a typed key path, which is notified of the deallocation of its source.
  case reasons
}
