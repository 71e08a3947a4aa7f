import Dispatch
import Foundation
import KeyValueObserving
import Testing

/// Counts how often its getter is called, by threads that take turns.
private final class Meter: KeyValueObservable, @unchecked Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  private var storedValue = 0
  private var readCount = 0
  static func keyValueProperties() -> [KeyValueProperty] { [.stored("value", \Meter.value)] }

  var value: Int {
    get {
      readCount += 1
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("value", of: self) }
      return storedValue
    }
    set {
      keyValueRegistrar.set(
        "value", of: self, to: newValue, read: { storedValue }, write: { storedValue = $0 })
    }
  }

  /// Sets the value, and returns how often the getter was called meanwhile.
  func reads(setting newValue: Int) -> Int {
    readCount = 0
    value = newValue
    return readCount
  }
}

extension AllTests {
  @Suite("Reads for async sequences")
  struct AsyncReadTests {
    @Test("P15, P41: after a hundred changes of one thread, its changes are not read once more")
    func changesOfOneThread() async {
      let meter = Meter()
      let values = meter.values(of: \.value)
      #expect(meter.reads(setting: 1) == 0)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        meter.value = 2
        isDone.signal()
      }
      isDone.wait()
      for value in 3...200 { meter.value = value }
      #expect(meter.reads(setting: 201) == 0)
      #expect(await values.first(202) == Array(0...201))
    }
  }
}
