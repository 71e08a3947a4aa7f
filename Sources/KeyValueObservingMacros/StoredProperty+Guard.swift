import SwiftSyntax

// The accessors of a variable that a lock guards: in a `Sendable` class.
//
// Every access takes the lock, reads, stores or exchanges the value, and releases the lock. Observers are
// called after that, and the former value is released after it. There is no `_modify`: its caller would
// run under the lock.
extension StoredProperty {
  /// Whether a lock guards the storage.
  var isGuarded: Bool { subject.guards(variable) }

  /// No other thread can access the object yet, so the lock is not needed.
  var guardedInitAccessor: String {
    """
    @storageRestrictions(initializes: \(storageName.text))
    init(initialValue) {
      \(storageName.text) = initialValue
    }
    """
  }

  /// The getter, which reads after it has recorded that: a change that comes in between is then a
  /// change of what was read.
  var guardedGetter: String {
    let target = isWeak ? "\(locked(storageName.text)) as Swift.AnyObject?" : nil
    let argument = target.map { ", target: \($0)" } ?? ""
    return """
      get {\(observedAccess(target: target))
        if \(EmittedName.registrarType).isTracking {
          \(EmittedName.registrar).access(\(key), of: self\(argument))
        }
        return \(locked(storageName.text))
      }
      """
  }

  /// The setter, which does not ask first whether there are observers: one may come between the answer
  /// and the store.
  var guardedSetter: String {
    """
    set {\(observedChange)
      \((isWeak ? guardedWeakSet : guardedSet).indented)
    }
    """
  }

  private var guardedSet: String {
    let storage = "object.\(storageName.text)"
    return """
      \(EmittedName.registrar).\(EmittedName.setProperty)(
        \(key), in: self, to: newValue,
        read: {
          let object = \(subject.downcast())
          return object.\(locked(storage))
        },
        exchange: { object, value in
          let object = \(subject.downcast("object"))
          return object.\(locked("\(EmittedName.exchange)(&\(storage), with: value)"))
        }
      )
      """
  }

  private var guardedWeakSet: String {
    """
    \(EmittedName.registrar).setWeak(
      \(key), of: self, to: newValue,
      read: { \(locked(storageName.text)) },
      write: { value in \(locked("\(storageName.text) = value")) }
    )
    """
  }

  private func locked(_ access: String) -> String {
    "\(EmittedName.storageGuard).withLock { \(access) }"
  }
}
