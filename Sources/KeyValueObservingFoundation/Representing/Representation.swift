internal import KeyValueObservingCore

/// Reads what a property holds as values of another type.
struct Representation<Value> {
  let subject: Any.Type
  let keyPath: String

  /// The value that something stands for. Nil is nil, and so is what stands for none; what can never
  /// stand for any is reported as well.
  func value(of held: Any?) -> Value? {
    guard let held else { return nil }
    if let value = held as? Value { return value }
    if let type = Value.self as? any KVORepresentable.Type, let value = type.value(of: held) {
      return value as? Value
    }
    if let type = Value.self as? any RawRepresentable.Type, let value = type.value(ofRaw: held) {
      return value as? Value
    }
    KeyValueDiagnostics.report(
      .unrepresentable(
        subject: subject, keyPath: keyPath, held: Swift.type(of: held), as: Value.self))
    return nil
  }
}

// Each returns nil for what is not of the type that values are made from.

extension KVORepresentable {
  fileprivate static func value(of held: Any) -> Self?? {
    (held as? KVOType).map { Self(KVOValue: $0) }
  }
}

extension RawRepresentable {
  fileprivate static func value(ofRaw held: Any) -> Self?? {
    (held as? RawValue).map { Self(rawValue: $0) }
  }
}
