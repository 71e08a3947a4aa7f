import Foundation
internal import SwiftSyntax

/// The files of a program, of which those are parsed that matter: those that use observing, and those
/// that declare a type that is looked up.
final class SourceLibrary {
  /// The files that use observing, and those with superclasses of their classes.
  private(set) var files: [SourceFile] = []
  private let rest: [SourceText]
  /// Whether Objective-C goes from all files.
  let isForLinux: Bool
  private var declaring: [String: [Int]] = [:]
  private var inheriting: [String: [Int]] = [:]
  private var parsed: Set<Int> = []

  init(_ texts: [SourceText], _ options: PortOptions) {
    isForLinux = options.platforms == .linux
    var batch: [SourceText] = []
    var rest: [SourceText] = []
    for text in texts {
      let matters = text.words.areOfInterest || isForLinux && text.words.nameObjectiveC
      if matters { batch.append(text) } else { rest.append(text) }
    }
    self.rest = rest
    let declared = texts.reduce(into: Set<String>()) { $0.formUnion($1.words.declaredTypes) }
    for (index, text) in rest.enumerated() {
      // Extensions of a framework's types are not about those of the program.
      let names = text.words.declaredTypes.union(text.words.extendedTypes.intersection(declared))
      for name in names { declaring[name, default: []].append(index) }
      for name in text.words.inheritedTypes { inheriting[name, default: []].append(index) }
    }
    while !batch.isEmpty {
      let new = parallelMap(batch) { SourceFile($0) }
      files += new
      let wanted = take(new.reduce(into: []) { $0.formUnion($1.superclassNames) })
      batch = wanted.map { rest[$0] }
    }
    files.sort { $0.path < $1.path }
  }

  /// The files that declare or extend a type and were not parsed before.
  func load(_ name: String) -> [SourceFile] {
    take([name]).map { SourceFile(rest[$0]) }.filter(\.parses)
  }

  /// The names in `#selector(…)` of the files that were not parsed.
  var selectors: Set<String> {
    let texts = rest.indices.filter { !parsed.contains($0) }.map { rest[$0] }
    return parallelMap(texts) { $0.selectors }.reduce(into: []) { $0.formUnion($1) }
  }

  /// The files that have one of some words in their text, maybe with a character directly behind it, and were
  /// not parsed before.
  func load(
    naming words: some Sequence<String>, before next: UInt8? = nil,
    where isWanted: (SourceText) -> Bool = { _ in true }
  ) -> [SourceFile] {
    let words = WordSet(words)
    if words.isEmpty { return [] }
    let candidates = rest.indices.filter { !parsed.contains($0) && isWanted(rest[$0]) }
    let found = parallelMap(candidates.map { ($0, rest[$0]) }) { index, text in
      text.contains(words, before: next) ? index : nil
    }
    .compactMap(\.self)
    parsed.formUnion(found)
    return parallelMap(found.map { rest[$0] }) { SourceFile($0) }.filter(\.parses)
  }

  /// The files that declare types which inherit from some others, and were not parsed before.
  func load(inheriting names: Set<String>) -> [SourceFile] {
    parallelMap(take(names, from: inheriting).map { rest[$0] }) { SourceFile($0) }.filter(\.parses)
  }

  private func take(_ names: Set<String>) -> [Int] { take(names, from: declaring) }

  private func take(_ names: Set<String>, from files: [String: [Int]]) -> [Int] {
    let wanted = Set(names.flatMap { files[$0] ?? [] }).subtracting(parsed)
    parsed.formUnion(wanted)
    return wanted.sorted()
  }
}

extension SourceFile {
  /// The names of the types from which those of the file inherit.
  fileprivate var superclassNames: Set<String> {
    var names: Set<String> = []
    for node in nodes.types + nodes.skippedTypes {
      guard let clause = node.as(ClassDeclSyntax.self)?.inheritanceClause else { continue }
      clause.inheritedTypes.first.flatMap { TypeName($0.type) }.map { _ = names.insert($0.base) }
    }
    return names
  }
}
