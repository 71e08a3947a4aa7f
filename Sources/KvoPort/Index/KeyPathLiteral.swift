internal import SwiftSyntax

/// `#keyPath(Player.track.title)`.
struct KeyPathLiteral {
  /// The types at the beginning.
  private(set) var types: [String]
  private(set) var keys: [String]

  var keyPath: String { keys.joined(separator: ".") }

  init?(_ macro: MacroExpansionExprSyntax) {
    guard macro.macroName.text == "keyPath", macro.arguments.count == 1,
      let argument = macro.arguments.first
    else { return nil }
    let names = argument.expression.tokens(viewMode: .sourceAccurate)
      .filter { token in
        switch token.tokenKind {
        case .identifier, .keyword: true
        default: false
        }
      }
      .map(\.unescaped)
    // Keys of some classes, such as user defaults, begin with a capital letter; the last one is a key.
    let types = names.dropLast().prefix { $0.first?.isUppercase == true }
    self.types = Array(types)
    keys = Array(names.dropFirst(types.count))
    guard !keys.isEmpty, keys.first != "self" || keys.count > 1 else { return nil }
  }

  /// Takes a name that begins with a capital letter for a key if a type has a property of this name.
  mutating func correct(_ isProperty: (_ key: String, _ type: String) -> Bool) {
    let first = types.indices.dropFirst().first { index in
      isProperty(types[index], types[..<index].joined(separator: "."))
    }
    guard let first else { return }
    keys.insert(contentsOf: types[first...], at: 0)
    types.removeSubrange(first...)
  }
}
