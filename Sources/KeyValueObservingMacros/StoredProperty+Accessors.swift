import SwiftSyntax

extension StoredProperty {
  /// The accessors of the variable.
  ///
  /// Each access to the storage of a scalar is a plain read or write. Passing it `inout` into a call
  /// would make every other access check exclusivity at run time, which costs several times the
  /// access.
  var accessors: [AccessorDeclSyntax] {
    (isGuarded
      ? [guardedInitAccessor, guardedGetter, guardedSetter]
      : [initAccessor, getter, setter] + (paysToModify ? [modifier] : []))
      .map(AccessorDeclSyntax.init(verbatim:))
  }

  private var initAccessor: String {
    """
    @storageRestrictions(initializes: \(storage))
    init(initialValue) {
      \(storage) = initialValue
    }
    """
  }

  private var getter: String {
    let target = isWeak ? "\(storage) as AnyObject?" : nil
    let argument = target.map { ", target: \($0)" } ?? ""
    return """
      get {\(observedAccess(target: target))
        if \(EmittedName.registrarType).isTracking {
          \(registrar).access(\(key), of: self\(argument))
        }
        return \(storage)
      }
      """
  }

  // With calls of two functions, the optimizer does not inline it by itself (row: set, unobserved).
  private var setter: String {
    """
    @inline(__always)
    set {\(observedChange)
      if \(registrar).isObserved {
        \((isWeak ? weakSet : set).indented.indented)
      } else {
        \(store(storage, "newValue"))\(caughtUp.indented.indented)
      }
    }
    """
  }

  /// Names the property whose own `willSet` or `didSet` may register observers.
  private var observingKey: String { storageObservers == nil ? "" : "observing: \(key), " }

  /// Lets observers that the property's own `willSet` or `didSet` has registered know the value that was stored then.
  private var caughtUp: String {
    storageObservers == nil ? "" : "\n\(registrar).\(EmittedName.observersMayHaveCome)(\(key))"
  }

  private var set: String {
    let function =
      isUnowned || notifiesOfStoredValue ? EmittedName.setProperty : EmittedName.setReadingBack
    return """
      \(registrar).\(function)(
        \(key), in: self, to: newValue,
        read: \(read),
        \(isUnowned ? "write: \(write)" : "exchange: \(exchange)")
      )
      """
  }

  /// Whether observers receive the value that the setter has stored: no override returns another
  /// value, and no `didSet` stores one.
  ///
  /// The former value has to be readable, too, which an unowned object is not after its
  /// deallocation.
  private var notifiesOfStoredValue: Bool {
    !isOverridable && !isUnowned && storageObservers == nil
  }

  /// A closure that stores into the object that it is given.
  private var write: String { "{ \(store("\(subject.downcast()).\(storage)", "$1")) }" }

  /// The same, which returns what was there.
  private var exchange: String {
    let stored = "\(subject.downcast()).\(storage)"
    if paysToModify { return "{ \(EmittedName.exchange)(&\(stored), with: $1) }" }
    return """
      {
        let former = \(stored)
        \(stored) = $1
        return former
      }
      """.indented
  }

  private var weakSet: String {
    """
    \(registrar).setWeak(
      \(key), of: self, to: newValue,
      read: { self.\(observedName) },
      write: { \(store("self.\(storage)", "$0")) }
    )
    """
  }

  /// Stores a value.
  ///
  /// If the former value may own objects, it is exchanged, so that it is released after the access
  /// to the storage has ended: a deallocation that this causes calls observers, who may read the
  /// property.
  private func store(_ storage: String, _ value: String) -> String {
    paysToModify
      ? "_ = \(EmittedName.exchange)(&\(storage), with: \(value))" : "\(storage) = \(value)"
  }

  private var modifier: String {
    let modification = EmittedName.modification
    return """
      _modify {\(observedChange)
        if \(registrar).isObserved {
          let read = { (object: AnyObject) in \(subject.downcast("object")).\(observedName) }
          let \(modification) = \(registrar).\(EmittedName.willModify)(\(key), in: self, read: read)
          defer { \(registrar).\(EmittedName.didModify)(\(modification), in: self, \(observingKey)read: read) }
          yield &\(storage)
        } else {\(caughtUp.isEmpty ? "" : "\n    defer {\(caughtUp.indented.indented.indented)\n    }")
          yield &\(storage)
        }
      }
      """
  }

  private var registrar: String { EmittedName.registrar }

  private var storage: String { storageName.text }

  var key: String { name.keyLiteral(of: variable, in: subject) }

  /// A closure that reads the value for observers from the object that it is passed.
  ///
  /// One that captures the object would be several functions in each place that the accessor is
  /// inlined into (row: build).
  private var read: String { "{ \(subject.downcast()).\(observedName) }" }

  /// The property that observers read: the overriding one, if there may be one.
  private var observedName: String { isOverridable ? name.text : storage }

  /// Notifies the registrar of the module `Observation` of a read, in a class that is `Observable`.
  ///
  /// - `target`: The expression for the object in a weak variable.
  func observedAccess(target: String?) -> String {
    subject.mayBeObservable ? "\n  \(observation("access", target: target))" : ""
  }

  /// Notifies the registrar of the module `Observation` of the change that the rest of the accessor makes.
  var observedChange: String {
    guard subject.mayBeObservable else { return "" }
    return "\n  \(observation("willSet"))\n  defer {\n    \(observation("didSet"))\n  }"
  }

  /// A call of the registrar, or of the function that a superclass has if it is `Observable`.
  private func observation(_ event: String, target: String? = nil) -> String {
    if subject.declaresObservable, target == nil {
      return "\(EmittedName.observationRegistrar).\(event)(self, keyPath: \\.\(name.text))"
    }
    let argument = target.map { ", target: \($0)" } ?? ""
    return "\(EmittedName.observation)(.\(event), of: self, at: \\.\(name.text)\(argument))"
  }
}
