internal import Synchronization

extension Transaction {
  // A transaction has several arrays, so to allocate one takes longer than a set (row: empty transaction).
  /// The address of one that is not in use, retained; 0 if there is none.
  private static let spare = Atomic<UInt>(0)

  static func takeSpare() -> Unmanaged<Transaction>? {
    UnsafeRawPointer(bitPattern: spare.exchange(0, ordering: .acquiring)).map {
      .fromOpaque($0)
    }
  }

  /// Keeps one that is not in use, which is retained, or releases it.
  static func keepSpare(_ transaction: Unmanaged<Transaction>) {
    let isSmall = transaction._withUnsafeGuaranteedRef { $0.isSmall }
    let address = UInt(bitPattern: transaction.toOpaque())
    guard isSmall,
      spare.compareExchange(expected: 0, desired: address, ordering: .releasing).exchanged
    else { return transaction.release() }
  }
}

extension Array {
  /// Removes all elements, and keeps the memory.
  ///
  /// Of few elements it takes less time than `removeAll(keepingCapacity:)`.
  mutating func removeEach() {
    while popLast() != nil {}
  }
}
