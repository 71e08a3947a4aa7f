/// A pattern of paths: `*` is any text without a slash, `**` is any text, `?` is a character.
///
/// Without a slash it is about the names of files and folders, otherwise about the end of the path,
/// or all of it.
struct Glob: Equatable, Sendable {
  private let parts: [Character]
  private let isName: Bool

  init(_ pattern: String) {
    let trimmed = pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern
    parts = Array(trimmed)
    isName = !trimmed.contains("/")
  }

  /// Whether a path, or a folder of it below the one that was named, matches.
  func matches(_ path: String, below root: String) -> Bool {
    let components = path.split(separator: "/").map(String.init)
    let count = root == "." ? 0 : root.split(separator: "/").count
    return components.indices.dropFirst(count).contains { last in
      if isName { return Self.matches(Array(components[last])[...], parts[...]) }
      // The pattern may begin with the folder that was named.
      return ([0] + (count...last)).contains { first in
        let text = Array(components[first...last].joined(separator: "/"))
        return Self.matches(text[...], parts[...])
      }
    }
  }

  private static func matches(
    _ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      let isDeep = pattern.dropFirst().first == "*"
      let rest = pattern.dropFirst(isDeep ? 2 : 1)
      // `**/` also matches no folder.
      if isDeep, rest.first == "/", matches(text, rest.dropFirst()) { return true }
      if rest.isEmpty, isDeep { return true }
      var remaining = text
      while true {
        if matches(remaining, rest) { return true }
        guard let next = remaining.first, isDeep || next != "/" else { return false }
        remaining = remaining.dropFirst()
      }
    }
    guard let letter = text.first, first == letter || first == "?" && letter != "/" else {
      return false
    }
    return matches(text.dropFirst(), pattern.dropFirst())
  }
}
