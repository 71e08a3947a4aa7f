internal import SwiftSyntax

/// `a == b` in a type whose `NSObject` becomes any observable object, which only `===` compares.
struct ObjectComparison {
  let symbol: TokenSyntax
  /// The types in casts of either side.
  let casts: Set<SyntaxIdentifier>
  /// Whether the type of one side changes.
  let isRewritten: Bool

  var edit: Edit { .replace(symbol.range, with: symbol.text + "=") }

  static func all(in sequence: SequenceExprSyntax, _ port: FilePort) -> [Self] {
    let elements = Array(sequence.elements)
    return elements.indices.compactMap { index in
      guard let symbol = elements[index].as(BinaryOperatorExprSyntax.self)?.operator,
        ["==", "!="].contains(symbol.text)
      else { return nil }
      // `as?` and its type precede an operator, or follow an operand.
      let left = elements[..<index].suffix(elements.isCast(at: index - 2) ? 3 : 1)
      let right = elements[(index + 1)...].prefix(elements.isCast(at: index + 2) ? 3 : 1)
      let sides = [Side(left, port), Side(right, port)]
      let isNil = sides.contains { $0.isNil }
      return Self(
        symbol: symbol, casts: Set(sides.compactMap(\.cast)),
        isRewritten: !isNil && sides.contains { $0.isObject })
    }
  }

  private struct Side {
    var cast: SyntaxIdentifier?
    var isObject = false
    var isNil = false

    private init() {}

    init(_ elements: ArraySlice<ExprSyntax>, _ port: FilePort) {
      self.init()
      guard let first = elements.first, let last = elements.last else { return }
      if elements.count == 3 {
        cast = last.trimmedDescription == "NSObject" ? last.id : nil
      } else if let tuple = first.as(TupleExprSyntax.self), tuple.elements.count == 1,
        let inner = tuple.elements.first?.expression
      {
        let parts = inner.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? [inner]
        self = Side(parts[...], port)
      } else {
        isNil = first.is(NilLiteralExprSyntax.self)
        isObject = port.index.scopedType(of: first, in: port.file)?.name == TypeName("NSObject")
      }
    }
  }
}

extension [ExprSyntax] {
  fileprivate func isCast(at index: Int) -> Bool {
    indices.contains(index) && self[index].is(UnresolvedAsExprSyntax.self)
  }
}
