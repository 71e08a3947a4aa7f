internal import Foundation
internal import KeyValueObservingCore

/// Reads what a property holds as values of another type.
@usableFromInline
package struct Representation<Value> {
  let subject: Any.Type
  let keyPath: String
  /// The diagnostics that an observation has reported.
  var reports: Reports?

  init(subject: Any.Type, keyPath: String, reports: Reports? = nil) {
    self.subject = subject
    self.keyPath = keyPath
    self.reports = reports
  }

  /// Reads the values of an observation, which reports each type that cannot be converted once.
  @usableFromInline
  package init(observing keyPath: String, of subject: Any.Type) {
    self.init(subject: subject, keyPath: keyPath, reports: Reports())
  }

  /// The value that something stands for.
  ///
  /// Nil is nil, and so is what stands for none; what can never stand for any is reported as well.
  @usableFromInline
  package func value(of held: Any?) -> Value? {
    guard let held else { return nil }
    if let value = held as? Value { return value }
    // A nil that was made is none, and not an optional value that is nil.
    let type = unwrappedType(Value.self)
    if let type = type as? any KVORepresentable.Type, let value = type.value(of: held) {
      return value.flatMap { $0 as? Value }
    }
    if let type = type as? any RawRepresentable.Type, let value = type.value(ofRaw: held) {
      return value.flatMap { $0 as? Value }
    }
    if let value = match(held, Value.self) { return value }
    if reports?.isFirst(Swift.type(of: held)) ?? true {
      KeyValueDiagnostics.report(
        .incompatibleRepresentation(
          subject: subject, keyPath: keyPath, held: Swift.type(of: held), as: type))
    }
    return nil
  }
}

/// The types of which no value could be made, so that an observation says it of each once.
final class Reports: @unchecked Sendable {  // `types` is guarded by `lock`
  private let lock = Lock()
  private var types: Set<ObjectIdentifier> = []

  func isFirst(_ type: Any.Type) -> Bool {
    lock.withLock { types.insert(ObjectIdentifier(type)).inserted }
  }
}

// Each returns nil for what is not of the type that values are made from, and a nil that is present
// where no value has what is held.

extension KVORepresentable {
  fileprivate static func value(of held: Any) -> Self?? {
    match(held, KVOType.self).map { $0.flatMap { Self(KVOValue: $0) } }
  }
}

extension RawRepresentable {
  fileprivate static func value(ofRaw held: Any) -> Self?? {
    match(held, RawValue.self).map { $0.flatMap { Self(rawValue: $0) } }
  }
}

/// The property's value as one of a type, converted without loss (P42).
private func match<Value>(_ held: Any, _: Value.Type) -> Value?? {
  if let same = held as? Value { return .some(same) }
  let raw = rawValue(of: held)
  if let value = losslessly(raw, as: Value.self) { return .some(value) }
  return isNumber(type(of: raw)) && isNumber(unwrappedType(Value.self)) ? .some(nil) : nil
}

/// The raw value of what has one, as which it counts.
private func rawValue(of held: Any) -> Any {
  func raw(_ value: some RawRepresentable) -> Any { value.rawValue }
  return (held as? any RawRepresentable).map { raw($0) } ?? held
}

private func isNumber(_ type: Any.Type) -> Bool {
  type is any Numeric.Type || type == Bool.self || type is NSNumber.Type
}
