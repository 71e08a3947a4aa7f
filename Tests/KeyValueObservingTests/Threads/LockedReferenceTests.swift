import Foundation
import Testing

@testable import KeyValueObservingCore

/// Holds an object that one thread replaces while others read it.
private final class Box: @unchecked Sendable {  // `stored` is guarded by `lock`
  final class Value: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private let lock = Lock()
  private var stored = Value(0)

  var value: Value { lock.withLock { stored } }

  func exchange(_ value: Value) -> Value {
    lock.withLock {
      let former = stored
      stored = value
      return former
    }
  }
}

extension AllTests {
  @Suite("References that a lock guards")
  struct LockedReferenceTests {
    /// Fails in optimized builds only, where the compiler moves instructions.
    @Test(
      "P38: an object that is read under a lock is retained before another thread can release it")
    func retainedInside() async {
      let box = Box()
      let count = 300_000
      let sum = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<2 {
          group.addTask { (0..<count).reduce(0) { sum, _ in max(sum, number(of: box.value)) } }
        }
        group.addTask {
          for number in 0..<count { _ = box.exchange(Box.Value(number)) }
          return 0
        }
        return await group.reduce(0, +)
      }
      #expect(sum <= 2 * count)
      #expect(box.value.number == count - 1)
    }

    // Not inlined: an object of which a number alone is read would not be retained at all.
    @inline(never)
    private func number(of value: Box.Value) -> Int { value.number }
  }
}
