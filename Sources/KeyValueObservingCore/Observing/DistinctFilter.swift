/// Drops did-change notifications whose value equals the last one that was received (P9).
@usableFromInline
final class DistinctFilter<Value> {
  private let isEqual: Comparison<Value>
  private let lock = Lock()
  private var last: Last
  /// The value that a change has left of which the observer was not notified, since it began before the observer was
  /// registered (P13): elements are changed in that one.
  private var missed: Value?

  /// The value that the observer has received last.
  private enum Last {
    case value(Value)
    /// No value: the path unwraps an intermediate object that is nil.
    case absent
    /// A mutation that did not fit the value before it.
    case unknown

    init(_ value: Value?) { self = value.map { .value($0) } ?? .absent }

    var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  /// Returns nil if values of the type cannot be compared.
  init?(startingAt value: Value?) {
    guard let isEqual = equality(of: Value.self) else { return nil }
    self.isEqual = isEqual
    last = Last(value)
  }

  /// Whether values can be changed element by element: then the old elements have to be known.
  var comparesElements: Bool {
    Value.self == Any?.self || unwrappedType(Value.self) is any ElementwiseChangeable.Type
  }

  /// Whether an observer of the last received value is notified of this change.
  func admits(_ change: KeyValueChange<Value>) -> Bool {
    let (last, missed) = lock.withLock { (self.last, self.missed) }
    if change.kind == .setting {
      let isSame =
        switch (last, change.newValue) {
        case (.value(let former), let value?): isEqual(former, value)
        case (.absent, nil): true
        default: false
        }
      if !isSame { return replaceLast(by: Last(change.newValue)) }
      if missed != nil { noteMissed(nil) }
      return false
    }
    let former = last.value
    let result = (missed ?? former).flatMap { value($0, changedBy: change) }
    if let old = change.oldValue, let new = change.newValue, isEqual(old, new) {
      // Elements were replaced by equal ones. To an observer that has missed a change, they may be other ones.
      guard let former, !(result.map { isEqual(former, $0) } ?? false) else { return false }
    }
    return replaceLast(by: result.map { .value($0) } ?? .unknown)
  }

  /// The value that results from changing single elements.
  private func value(_ former: Value, changedBy change: KeyValueChange<Value>) -> Value? {
    guard let collection = flatten(former) as? any ElementwiseChangeable else {
      // The first edit of what was nil brings all that it comes to (P35).
      return change.newValue ?? former
    }
    let changed = collection.changed(
      change.kind, at: change.indexes, from: change.oldValue.flatMap { flatten($0) },
      to: change.newValue.flatMap { flatten($0) })
    // Unwrapped first, since a nil that is cast to `Any?` is a value that is nil.
    return changed.flatMap { $0 as? Value }
  }

  /// Notes a value that the observer receives other than with a change.
  @usableFromInline
  func note(_ value: Value?) { _ = replaceLast(by: Last(value)) }

  /// Notes the value that a change has left of which the observer is not notified.
  func noteMissed(_ value: Value?) {
    extendLifetime(lock.withLock { exchange(&missed, with: value) })
  }

  private func replaceLast(by value: Last) -> Bool {
    let replaced = lock.withLock { (exchange(&last, with: value), exchange(&missed, with: nil)) }
    extendLifetime(replaced)
    return true
  }
}
