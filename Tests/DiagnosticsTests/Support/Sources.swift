import Foundation

/// The files that are compared with the tables of messages.
enum Sources {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../Sources").standardized
    .resolvingSymlinksInPath()

  private static let folders = [
    "KeyValueObservingCore/Diagnostics", "KeyValueObservingFoundation/Diagnostics",
    "LifecycleObserving/Diagnostics",
  ]

  /// The names of all messages: of the functions that make them, and of the cases of the errors.
  static func messageNames() throws -> Set<String> {
    var names: Set<String> = []
    for file in try files() where file.holdsMessages {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?m)^  static (?:func|var) (\w+)/) {
        names.insert(String(match.1))
      }
      for match in text.matches(of: /(?m)^    case \.(\w+)[(:]/) { names.insert(String(match.1)) }
    }
    // The message of an invalid key path or value is that of its reason, and an empty one has a
    // function.
    return names.subtracting(["invalidKeyPath", "invalidValue", "empty"])
  }

  /// The identifiers of diagnostics that the modules declare: each is the name of its constant.
  static func identifiers() throws -> Set<String> {
    var identifiers: Set<String> = []
    for file in try files() where file.lastPathComponent.hasSuffix("+ID.swift") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /static let (\w+) = Self\(rawValue: "(\w+)"\)/)
      where match.1 == match.2 {
        identifiers.insert(String(match.1))
      }
    }
    return identifiers
  }

  private static func files() throws -> [URL] {
    try folders.flatMap {
      try FileManager.default.contentsOfDirectory(
        at: root.appending(path: $0), includingPropertiesForKeys: nil)
    }
  }

  // MARK: The article

  /// The messages that the article shows, by the names in the comments before them.
  static func shownMessages() throws -> [(name: String, text: String)] {
    let pattern = /<!-- sentence: ([^>]+) -->\n+```text\n((?:.+\n)+?)```/
    return try article().matches(of: pattern).map { match in
      let lines = match.2.split(separator: "\n")
      return (String(match.1), lines.joined(separator: " "))
    }
  }

  /// The headings of the third level.
  static func headings() throws -> [String] {
    try article().matches(of: /(?m)^### (.+)$/).map { String($0.1) }
  }

  private static func article() throws -> String {
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      if file.lastPathComponent == "Diagnostics.md" {
        return try String(contentsOf: file, encoding: .utf8)
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

extension URL {
  fileprivate var holdsMessages: Bool {
    let name = lastPathComponent
    return name == "Trap.swift" || name.hasSuffix("+Messages.swift")
      || name.hasSuffix("+KeyPaths.swift")
  }
}
