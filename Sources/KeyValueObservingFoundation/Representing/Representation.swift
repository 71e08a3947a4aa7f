internal import KeyValueObservingCore

/// Reads what a property holds as values of another type.
struct Representation<Value> {
  let subject: Any.Type
  let keyPath: String
  /// What an observation has reported.
  var reports: Reports?

  /// The value that something stands for. Nil is nil, and so is what stands for none; what can never
  /// stand for any is reported as well.
  func value(of held: Any?) -> Value? {
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
    if reports?.isFirst(Swift.type(of: held)) ?? true {
      KeyValueDiagnostics.report(
        .unrepresentable(
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
