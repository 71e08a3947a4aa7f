import SwiftSyntax

extension DeclModifierListSyntax {
  func contains(_ keyword: Keyword) -> Bool {
    contains { $0.is(keyword) }
  }

  /// Whether only the file of the declaration can name it.
  var isPrivate: Bool {
    contains { $0.detail == nil && $0.isPrivateAccess }
  }

  /// Whether only the file of the declaration can set it.
  var hasPrivateSetter: Bool {
    contains { $0.detail != nil && $0.isPrivateAccess }
  }

  /// The access level that reaches past the module, if one is written.
  var exportedAccess: Keyword? {
    [.open, .public, .package].first(where: contains)
  }
}

extension DeclModifierSyntax {
  func `is`(_ keyword: Keyword) -> Bool {
    detail == nil && name.tokenKind == .keyword(keyword)
  }

  fileprivate var isPrivateAccess: Bool {
    [.keyword(.private), .keyword(.fileprivate)].contains(name.tokenKind)
  }
}
