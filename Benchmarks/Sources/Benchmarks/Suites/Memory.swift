import CMeasuring
import KeyValueObserving

/// The memory of observing: bytes that `malloc` hands out, rounding and headers included.
///
/// The closures capture nothing, so that their contexts do not count.
enum Memory: Suite {
  static let title = "Memory"

  static var benchmarks: [Benchmark] {
    var bytes: UInt64 = 0
    guard measuring_heap_bytes(&bytes) else { return [] }
    return [
      Benchmark(unobserved, goal: .amount(8)),
      Benchmark(firstObserver, goal: .amount(160)),
      Benchmark(furtherObservers(10, of: 1000), goal: .amount(80)),
      Benchmark(furtherObservers(100_000, of: 1), goal: .amount(80)),
      Benchmark(record, goal: .amount(128)),
    ]
  }

  private static var unobserved: Subject {
    .counted("unobserved object, more than a plain one", .bytes) {
      let one = bytesEach { ObservableOne() } - bytesEach { PlainOne() }
      let two = bytesEach { ObservableTwo() } - bytesEach { PlainTwo() }
      return (one + two) / 2
    }
  }

  private static var firstObserver: Subject {
    .counted("first observer of an object, with its token", .bytes) {
      let objects = (0..<objectCount).map { _ in ObservableTwo() }
      var index = 0
      return bytesEach {
        defer { index += 1 }
        return register(objects[index])
      }
    }
  }

  private static func furtherObservers(_ count: Int, of objectCount: Int) -> Subject {
    let name = count == 100_000 ? "10^5" : "\(count)"
    return .counted("each further of \(name) observers, with its token", .bytes) {
      let objects = (0..<objectCount).map { _ in ObservableTwo() }
      let first = objects.map(register)
      defer { withExtendedLifetime(first) {} }
      var index = 0
      return bytesEach(objectCount * (count - 1)) {
        defer { index += 1 }
        return register(objects[index % objectCount])
      }
    }
  }

  /// The bytes that an open transaction keeps of each of its sets, all of different objects.
  private static var record: Subject {
    .counted("each of 10^6 sets in a transaction, beside the value", .bytes) {
      let objects = (0..<recordCount).map { _ in ObservableTwo() }
      return withKeyValueTransaction {
        let before = heapBytes()
        for object in objects { object.first = 1 }
        let bytes = (Double(heapBytes()) - Double(before)) / Double(recordCount)
        return bytes.rounded() - Double(MemoryLayout<Int>.size)
      }
    }
  }

  private static var recordCount: Int { 1_000_000 }
  private static var objectCount: Int { 10_000 }

  /// The bytes that each of many objects adds to the heap.
  private static func bytesEach(
    _ count: Int = objectCount, _ make: () -> AnyObject
  ) -> Double {
    var made: [AnyObject] = []
    made.reserveCapacity(count)
    let before = heapBytes()
    for _ in 0..<count { made.append(make()) }
    let after = heapBytes()
    // Whole bytes, because allocations of others fall into the same time.
    return withExtendedLifetime(made) {
      ((Double(after) - Double(before)) / Double(count)).rounded()
    }
  }

  private static func heapBytes() -> UInt64 {
    var bytes: UInt64 = 0
    _ = measuring_heap_bytes(&bytes)
    return bytes
  }

  private static func register(_ object: ObservableTwo) -> KeyValueObservation {
    object.observe(\.first, options: [.old, .new]) { _, change in
      measuringSink(change.newValue ?? 0)
    }
  }
}
