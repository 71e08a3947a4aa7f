import SwiftSyntaxMacros
import Testing

@testable import KeyValueObservingMacros

/// One row of an expansion table: a claim, what the user writes, and what the macros make of it.
struct Row: CustomTestStringConvertible, Sendable {
  let claim: String
  let source: String
  let expansion: String

  init(_ claim: String, _ source: String, becomes expansion: String) {
    self.claim = claim
    self.source = source
    self.expansion = expansion
  }

  var testDescription: String { claim }

  /// Expands the source with one macro and compares the whole text.
  func check(
    _ macro: any Macro.Type, inheritsConformance: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let made = Expansion(of: source, [macro], inheritsConformance: inheritsConformance)
    #expect(made.text == expansion, sourceLocation: sourceLocation)
    #expect(made.diagnostics.isEmpty, sourceLocation: sourceLocation)
  }
}
