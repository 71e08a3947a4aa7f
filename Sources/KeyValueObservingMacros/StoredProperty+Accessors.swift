import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredProperty {
  /// The accessors of the variable.
  ///
  /// Each access to the storage of a scalar is a plain read or write. Passing it `inout` into a call
  /// would make every other access check exclusivity at run time, which costs several times the
  /// access.
  var accessors: [AccessorDeclSyntax] {
    [initAccessor, getter, setter] + (paysToModify ? [modifier] : [])
  }

  private var initAccessor: AccessorDeclSyntax {
    """
    @storageRestrictions(initializes: \(storageName))
    init(initialValue) {
      \(storageName) = initialValue
    }
    """
  }

  private var getter: AccessorDeclSyntax {
    let target = isWeak ? ", target: \(storageName) as AnyObject?" : ""
    return AccessorDeclSyntax(accessorSpecifier: .keyword(.get)) {
      observedAccess
      """
      if \(raw: EmittedName.registrarType).isTracking {
        \(registrar).access(\(key), of: self\(raw: target))
      }
      """ as StmtSyntax
      "return \(storageName)" as StmtSyntax
    }
  }

  private var setter: AccessorDeclSyntax {
    AccessorDeclSyntax(accessorSpecifier: .keyword(.set)) {
      observedChange
      """
      if \(registrar).isObserved {
        \(registrar).\(raw: isWeak ? "setWeak" : "set")(
          \(key), of: self, to: newValue,
          read: \(read),
          write: { \(store("self.\(storageName)", "$0")) }
        )
      } else {
        \(store("\(storageName)", "newValue"))
      }
      """ as StmtSyntax
    }
  }

  /// Stores a value.
  ///
  /// Where the former value may own objects it is exchanged, so that it is released after the access
  /// to the storage has ended: a death that this causes calls observers, who may read the property.
  private func store(_ storage: ExprSyntax, _ value: ExprSyntax) -> ExprSyntax {
    paysToModify ? "_ = exchange(&\(storage), with: \(value))" : "\(storage) = \(value)"
  }

  private var modifier: AccessorDeclSyntax {
    let modification: TokenSyntax = .identifier(EmittedName.modification)
    return AccessorDeclSyntax(accessorSpecifier: .keyword(._modify)) {
      observedChange
      """
      if \(registrar).isObserved {
        let \(modification) = \(registrar).willModify(
          \(key), of: self,
          read: \(read)
        )
        defer {
          \(registrar).didModify(
            \(modification), of: self,
            read: \(read)
          )
        }
        yield &\(storageName)
      } else {
        yield &\(storageName)
      }
      """ as StmtSyntax
    }
  }

  private var registrar: TokenSyntax { .identifier(EmittedName.registrar) }

  private var key: ExprSyntax { "\(raw: name.keyLiteral)" }

  /// A closure that reads what an observer is told: an overriding getter's value if there is one.
  private var read: ExprSyntax {
    isOverridable ? "{ self.\(name) }" : "{ self.\(storageName) }"
  }

  /// Tells `withObservationTracking` of a read, in a class that is `Observable`.
  private var observedAccess: CodeBlockItemListSyntax {
    subject.declaresObservable ? [observation("access")] : []
  }

  /// Tells `withObservationTracking` of the change that the rest of the accessor makes.
  private var observedChange: CodeBlockItemListSyntax {
    guard subject.declaresObservable else { return [] }
    return [
      observation("willSet"),
      """
      defer {
        \(observation("didSet"))
      }
      """,
    ]
  }

  private func observation(_ event: String) -> CodeBlockItemSyntax {
    "\(raw: EmittedName.observationRegistrar).\(raw: event)(self, keyPath: \\.\(name))"
  }
}
