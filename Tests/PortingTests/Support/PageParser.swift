import Foundation

/// Takes a page apart, line by line.
///
/// Comments of HTML before a block say how it is checked:
///
///     <!-- guide: NAME -->           code of a test, compiled and run
///     <!-- from: PATH -->            code of another file
///     <!-- not compiled: REASON -->  neither
///     <!-- hidden                    code that the page does not show
///     ```swift
///     let player = Player()
///     ```
///     -->
///     <!-- hidden: new program -->   declares names that the page has declared before
///
/// A paragraph that begins with "Before" or "In Cocoa" introduces code that is not compiled. All other
/// blocks of Swift are one program.
struct PageParser {
  let name: String
  private(set) var blocks: [CodeBlock] = []
  private(set) var programs: [PageProgram]

  private var line = 0
  private var place: Place = .text
  private var source: CodeBlock.Source?
  private var introduction = ""
  private var previous = ""

  private enum Place {
    case text
    case comment
    case hidden(from: Int, [String])
    case block(language: String, indentation: Int, from: Int, [String])
  }

  init(name: String) {
    self.name = name
    programs = [PageProgram(page: name)]
  }

  mutating func read(_ text: String) {
    line += 1
    switch place {
    case .text: readText(text)
    case .comment: if text.hasSuffix("-->") { place = .text }
    case .hidden(let first, let lines):
      if text == "-->" {
        place = .text
        programs[programs.count - 1].add(lines, from: first)
      } else {
        // The fence in the comment keeps DocC from taking an attribute for a directive.
        place = .hidden(from: first, lines + [text.hasPrefix("```") ? "" : text])
      }
    case .block(let language, let indentation, let first, let lines):
      if text.trimmingCharacters(in: .whitespaces) == "```" {
        place = .text
        endBlock(language, lines, from: first)
      } else {
        let code = String(text.dropFirst(indentation))
        place = .block(language: language, indentation: indentation, from: first, lines + [code])
      }
    }
  }

  private mutating func readText(_ text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if trimmed.hasPrefix("```") {
      let indentation = text.prefix { $0 == " " }.count
      place = .block(
        language: String(trimmed.dropFirst(3)), indentation: indentation, from: line + 1, [])
    } else if text.hasPrefix("<!--") {
      readComment(text)
    } else if !text.isEmpty {
      if previous.isEmpty { introduction = text }
      source = nil
    }
    previous = text
  }

  private mutating func readComment(_ text: String) {
    if text == "<!-- hidden" {
      place = .hidden(from: line + 1, [])
    } else if text.hasPrefix("<!-- hidden: new program") {
      programs.append(PageProgram(page: name))
      if !text.hasSuffix("-->") { place = .hidden(from: line + 1, []) }
    } else if let name = text.between("<!-- guide: ", " -->") {
      source = .guide(name)
    } else if let path = text.between("<!-- from: ", " -->") {
      source = .file(path)
    } else if let reason = text.between("<!-- not compiled: ", " -->") {
      source = .notCompiled(reason)
    } else if let name = text.between("<!-- sentence: ", " -->") {
      source = .notCompiled(name)
    } else if !text.hasSuffix("-->") {
      place = .comment
    }
  }

  private mutating func endBlock(_ language: String, _ lines: [String], from first: Int) {
    let isOld = introduction.hasPrefix("Before") || introduction.hasPrefix("In Cocoa")
    let source = source ?? (isOld ? .notCompiled("old code") : .page)
    blocks.append(
      CodeBlock(
        place: "\(name):\(first)", language: language, source: source,
        code: lines.joined(separator: "\n")))
    if language == "swift", source == .page { programs[programs.count - 1].add(lines, from: first) }
    (self.source, introduction) = (nil, "")
  }
}

extension String {
  func between(_ prefix: String, _ suffix: String) -> String? {
    guard hasPrefix(prefix), hasSuffix(suffix) else { return nil }
    return String(dropFirst(prefix.count).dropLast(suffix.count))
  }
}
