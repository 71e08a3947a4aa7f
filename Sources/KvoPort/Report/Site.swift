/// A position in the sources where a pattern was found.
struct Site: Sendable {
  enum Status: String, CaseIterable, Sendable {
    case rewritten
    /// It works as it is.
    case unchanged
    /// It works, but may behave differently.
    case review
    /// A person has to do it.
    case manual
  }

  let path: String
  /// The position in the text before the run or, once the file is written, after it.
  var line: Int
  var column: Int
  let pattern: PatternName
  var status: Status
  /// Whether it is about a class of the program, and not one of a framework.
  let isOwn: Bool
  /// Whether the run changes the text here.
  let isEdited: Bool
  /// Whether the message is about code that works, but may behave differently.
  let isNote: Bool
  /// The sentence that is printed, if there is one.
  let message: String?

  /// The line that a terminal, an editor or CI shows, in the form of the compiler.
  ///
  /// The page that describes each pattern by its name is referred to unless the message names another one.
  var diagnostic: String? {
    message.map { message in
      let reference = message.contains("(see '") ? "" : " (see 'Porting an application')"
      return "\(path):\(line):\(column): \(isNote ? "note" : "warning"): [\(pattern.rawValue)] "
        + message + reference
    }
  }
}
