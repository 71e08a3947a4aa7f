import SwiftSyntax

/// The scope in which the name of a declaration may be used; `open` reaches as far as `public`.
enum Reach: Int, Comparable {
  case file, module, package, everywhere

  init?(_ keyword: Keyword) {
    switch keyword {
    case .private, .fileprivate: self = .file
    case .internal: self = .module
    case .package: self = .package
    case .public, .open: self = .everywhere
    default: return nil
    }
  }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension DeclModifierListSyntax {
  func contains(_ keyword: Keyword) -> Bool {
    contains { $0.is(keyword) }
  }

  /// The scope of the declaration, if an access level is written.
  var reach: Reach? { lazy.filter { $0.detail == nil }.compactMap(\.reach).first }

  /// The scope of its setter, if an access level is written for the setter alone.
  var setterReach: Reach? { lazy.filter { $0.detail != nil }.compactMap(\.reach).first }

  /// The access level that reaches past the module, if one is written.
  var exportedAccess: Keyword? {
    [.open, .public, .package].first(where: contains)
  }
}

extension DeclModifierSyntax {
  func `is`(_ keyword: Keyword) -> Bool {
    detail == nil && name.tokenKind == .keyword(keyword)
  }

  fileprivate var reach: Reach? {
    guard case .keyword(let keyword) = name.tokenKind else { return nil }
    return Reach(keyword)
  }
}

extension SubjectClass {
  /// Whether the setter of a variable is kept from code that may read it, or the variable from all
  /// other files.
  ///
  /// Strings come from anywhere, so they do not set it (P42).
  func keepsSetter(of variable: VariableDeclSyntax) -> Bool {
    let ownReach = exportedAccess.flatMap(Reach.init) ?? .module
    let reach = variable.modifiers.reach ?? .module
    let setterReach = variable.modifiers.setterReach ?? reach
    return setterReach == .file || setterReach < min(reach, ownReach)
  }
}
