#if Peers
  /// An object around a value, so that a ledger can keep it.
  final class Kept<Value> {
    private let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }
#endif
