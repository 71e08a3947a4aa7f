import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import KeyValueObservingMacros

/// The expansion of the macros in a piece of source code.
struct Expansion {
  /// The expanded source, without blank space around it.
  let text: String
  let diagnostics: [Diagnostic]
  private let source: String
  private let context: BasicMacroExpansionContext

  /// Expands the given macros and no others.
  ///
  /// - `inheritsConformance`: Whether a superclass is observable, which the compiler knows and a
  ///   test declares.
  init(
    of source: String, _ macros: [any Macro.Type] = allMacros, inheritsConformance: Bool = false
  ) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "Tests.swift")]
    )
    let specs = macros.map { macro in
      let conformances: [TypeSyntax] = inheritsConformance ? [] : ["KeyValueObservable"]
      return (macro.attributeName, MacroSpec(type: macro, conformances: conformances))
    }
    let expanded = file.expand(
      macroSpecs: Dictionary(uniqueKeysWithValues: specs),
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: node.allMacroLexicalContexts()
        )
      },
      indentationWidth: .spaces(2)
    )
    text = expanded.description.trimmed
    diagnostics = context.diagnostics
    self.source = source
    self.context = context
  }

  /// The source after every fix-it has been applied.
  var fixedSource: String {
    let edits = diagnostics.flatMap(\.fixIts).flatMap(\.changes).compactMap(edit)
    var bytes = Array(source.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.replacement.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func edit(_ change: FixIt.Change) -> (range: Range<Int>, replacement: String)? {
    guard case .replace(let old, let new) = change,
      let start = context.location(of: old.position, anchoredAt: old)
    else { return nil }
    return (start..<(start + old.totalLength.utf8Length), new.description)
  }
}

extension BasicMacroExpansionContext {
  fileprivate func location(of position: AbsolutePosition, anchoredAt node: Syntax) -> Int? {
    location(for: position, anchoredAt: node, fileName: "Tests.swift").offset
  }
}

extension Macro {
  /// The name that stands behind the `@`: that of the type, unless only expansions write it.
  fileprivate static var attributeName: String {
    switch self {
    case is KeyValueStoredMacro.Type: EmittedName.storedMacro
    case is KeyValueInitializerMacro.Type: EmittedName.initializerMacro
    default: String(describing: self).replacing("Macro", with: "")
    }
  }
}

extension String {
  var trimmed: String {
    String(
      drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    )
  }
}
