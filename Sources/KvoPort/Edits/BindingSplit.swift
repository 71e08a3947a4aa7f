internal import SwiftSyntax

/// The declaration of each variable on its own, as macros need it: `var a = 0, b = 1`.
struct BindingSplit {
  let edits: [Edit]

  /// The edits that write the attributes and modifiers of a prefix in front of each variable.
  init(_ variable: VariableDeclSyntax, prefix: String, in port: FilePort) {
    let bindings = Array(variable.bindings)
    guard bindings.count > 1 else {
      edits = []
      return
    }
    let introducer = prefix + variable.bindingSpecifier.text + " "
    let file = port.file
    let startsLine = file.beginsLine(at: variable.start)
    var edits: [Edit] = []
    for (index, binding) in bindings.enumerated() {
      if binding.typeAnnotation == nil, binding.initializer == nil, binding.accessorBlock == nil,
        let type = bindings[index...].lazy.compactMap(\.typeAnnotation).first
      {
        edits.append(.insert(type.trimmedDescription, at: binding.pattern.end))
      }
      guard let comma = binding.trailingComma, index + 1 < bindings.count else { continue }
      let next = bindings[index + 1].start
      let gap = file.bytes[comma.end..<next]
      if gap.contains(where: \.isLineEnd) {
        edits += [.remove(comma.range), .insert(introducer, at: next)]
      } else if gap.allSatisfy(\.isSpaceOrTab), startsLine {
        let line = file.lineEnding + file.indentation(at: variable.start)
        edits.append(.replace(comma.start..<next, with: line + introducer))
      } else {
        edits += [.replace(comma.range, with: ";"), .insert(introducer, at: next)]
      }
    }
    self.edits = edits
  }
}
