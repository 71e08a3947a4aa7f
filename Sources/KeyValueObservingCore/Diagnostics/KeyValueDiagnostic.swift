/// A description of a programming error from which the library has recovered.
///
/// ``KeyValueDiagnostics`` delivers diagnostics to a handler. Their text is for people and may
/// change in any version; compare the ``id`` and the other properties instead:
///
/// ```swift
/// KeyValueDiagnostics.handler = { diagnostic in
///   if diagnostic.id == .nonConvergence { assertionFailure("\(diagnostic)") }
/// }
/// ```
public struct KeyValueDiagnostic: Sendable, CustomStringConvertible {
  /// The kind of the error.
  public let id: ID

  /// The class of the object that the diagnostic is about, if there is one.
  public let type: Any.Type?

  /// The key or key path that the diagnostic is about, if there is one.
  ///
  /// A typed key path is shown as Swift describes it, such as `\Author.draft`.
  public let keyPath: String?

  /// The place, what happened, and what to write instead, in two or three sentences.
  public let message: String

  /// The source location at which the observation was registered that the diagnostic is about.
  ///
  /// It is known inside `expectNoDiagnostics` and `expectNoLiveObservations` of the module
  /// `KeyValueObservingTesting`, which look it up in the debug information; not on Apple's
  /// platforms. It is nil everywhere else, and for a diagnostic that is about a call instead of an
  /// observation.
  public internal(set) var registrationLocation: SourceLocation?

  /// The key under which an observation remembers that it has reported the diagnostic.
  let topic: String

  package init(
    _ id: ID, type: Any.Type? = nil, keyPath: String? = nil, _ message: Message,
    reportedOncePer topic: String? = nil
  ) {
    self.id = id
    self.type = type
    self.keyPath = keyPath
    self.message = message.text
    self.topic = "\(id) \(topic ?? self.message)"
  }

  /// The message, the location of the registration if it is known, and the identifier in brackets.
  public var description: String {
    let location = registrationLocation.map { " Registered at \($0)." } ?? ""
    return "\(message)\(location) [\(id)]"
  }
}

extension KeyValueDiagnostic {
  /// A line in a source file.
  public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The module and the file, such as `Library/Author.swift`.
    public let fileID: String
    /// The line, counted from 1.
    public let line: Int

    /// Creates a source location.
    ///
    /// - Parameters:
    ///   - fileID: The module and the file, such as `Library/Author.swift`.
    ///   - line: The line, counted from 1.
    public init(fileID: String, line: Int) {
      self.fileID = fileID
      self.line = line
    }

    /// The file and the line, such as `Library/Author.swift:12`.
    public var description: String { "\(fileID):\(line)" }
  }
}
