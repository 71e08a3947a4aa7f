internal import SwiftSyntax

/// Removes calls of `super.observeValue`, which has no implementation.
enum SuperCallPattern: Pattern {
  static func apply(to port: FilePort) {
    for call in port.nodes.calls
    where call.calledName == "observeValue" && call.labels.first == "forKeyPath" {
      guard call.base?.is(SuperExprSyntax.self) == true,
        let type = port.index.enclosingType(of: call, in: port.file), type.kind == .class,
        !port.index.isManagedByDatabase(type)
      else { continue }
      if port.index.hasObserverSuperclass(type) {
        port.leave(.superCall, at: call)
      } else if let edits = removal(of: call, in: port) {
        port.rewrite(.superCall, at: call, edits)
      } else {
        port.warn(.superCall, at: call, Messages.superCall)
      }
    }
  }

  private static func removal(of call: FunctionCallExprSyntax, in port: FilePort) -> [Edit]? {
    var node = Syntax(call)
    while let parent = node.parent,
      [.tryExpr, .awaitExpr].contains(parent.kind)
        || parent.as(ExprSyntax.self)?.insideUnsafe?.id == node.id
    {
      node = parent
    }
    guard let parent = node.parent else { return nil }
    if let statement = parent.as(ReturnStmtSyntax.self) {
      return [.remove(statement.returnKeyword.end..<node.end)]
    }
    guard let item = parent.as(CodeBlockItemSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self)
    else { return nil }
    if list.isAllOfCase { return [.replace(node.range, with: "break")] }
    return [.remove(Statement(item, in: port.file).range)]
  }
}

extension CodeBlockItemListSyntax {
  /// Whether a `case` has one statement, which is the only one of this list, maybe in an `#if`.
  fileprivate var isAllOfCase: Bool {
    guard count == 1 else { return false }
    if parent?.is(SwitchCaseSyntax.self) == true { return true }
    let condition = parent?.as(IfConfigClauseSyntax.self)?.parent?.parent
    let item = condition?.as(IfConfigDeclSyntax.self)?.parent?.as(CodeBlockItemSyntax.self)
    return item?.parent?.as(CodeBlockItemListSyntax.self)?.isAllOfCase ?? false
  }
}

/// A statement with what goes with it: the lines that it has to itself, or the white space behind it.
struct Statement {
  let range: Range<Int>

  init(_ item: CodeBlockItemSyntax, in file: SourceFile) {
    let bytes = file.bytes
    var end = item.end
    while end < bytes.count, bytes[end].isSpaceOrTab { end += 1 }
    if end < bytes.count, bytes[end].isLineEnd, file.beginsLine(at: item.start) {
      let start = file.lines.start(ofLine: file.lines.line(at: item.start))
      range = start..<file.lines.range(ofLine: file.lines.line(at: item.end)).upperBound
    } else if end < bytes.count, bytes[end].isLineEnd {
      // The last of several on a line.
      var start = item.start
      while start > 0, bytes[start - 1].isSpaceOrTab || bytes[start - 1] == UInt8(ascii: ";") {
        start -= 1
      }
      range = start..<item.end
    } else if end < bytes.count, bytes[end] == UInt8(ascii: "}"), file.follows("{", item.start) {
      // Nothing else is in the block.
      var start = item.start
      while start > 0, bytes[start - 1].isSpaceOrTab { start -= 1 }
      range = start..<end
    } else {
      range = item.start..<end
    }
  }
}

extension SourceFile {
  /// Whether a character precedes an offset, with only white space between.
  fileprivate func follows(_ character: Unicode.Scalar, _ offset: Int) -> Bool {
    bytes[..<offset].last { !$0.isSpaceOrTab } == UInt8(ascii: character)
  }
}
