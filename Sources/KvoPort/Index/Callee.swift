internal import SwiftSyntax

/// The function or initializer of the sources that a call means.
struct Callee {
  let declaration: DeclSyntax
  let parameters: FunctionParameterClauseSyntax
  let file: SourceFile
}

extension Index {
  func callee(of call: FunctionCallExprSyntax, in file: SourceFile) -> Callee? {
    if let function = function(of: call, in: file) {
      return Callee(
        declaration: DeclSyntax(function.node), parameters: function.node.signature.parameterClause,
        file: function.file)
    }
    guard case .own(let type) = type(of: ExprSyntax(call), in: file) else { return nil }
    let initializers = ([type] + superclasses(of: type)).flatMap(\.initializers)
    let found = initializers.first { call.fits($0.signature.parameterClause) }
    return found.map {
      Callee(
        declaration: DeclSyntax($0), parameters: $0.signature.parameterClause, file: type.file)
    }
  }

  /// Whether the type of a value is a generic parameter of a wrapper, which constrains it to what can be
  /// observed.
  func isOfWrapperParameter(_ value: ExprSyntax, in file: SourceFile) -> Bool {
    guard let name = value.as(DeclReferenceExprSyntax.self)?.baseName.unescaped,
      case .parameter(let parameter) = value.localDeclaration(of: name),
      let type = TypeName(parameter.type), type.name != "NSObject",
      let owner = enclosingType(of: value, in: file)
    else { return false }
    return owner.node.ownConstraint(of: type.name) != nil && objectWrappers.contain(owner.node)
  }
}

extension FunctionParameterSyntax {
  /// Whether the type is `NSObject`, or a generic parameter that is one.
  var takesAnyObject: Bool {
    guard let type = TypeName(type) else { return false }
    return type.name == "NSObject" || genericConstraint(of: type.name)?.name == "NSObject"
  }
}
