import KeyValueObserving
import Testing

/// Begins and ends an in-place mutation by hand.
private final class Carton: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private var storedItems: [Int] = []
  static func keyValueProperties() -> [KeyValueProperty] { [.stored("items", \Carton.items)] }

  var items: [Int] {
    if KeyValueRegistrar.isTracking { keyValueRegistrar.access("items", of: self) }
    return storedItems
  }

  /// Appends an element, and ends the mutation several times.
  func append(_ item: Int, endCount: Int) {
    let modification = keyValueRegistrar.willModify("items", of: self, read: { storedItems })
    storedItems.append(item)
    for _ in 0..<endCount {
      keyValueRegistrar.didModify(modification, of: self, read: { storedItems })
    }
  }
}

extension AllTests {
  @Suite("Ends of in-place mutations")
  struct ModificationEndTests {
    private let recorder = Recorder()

    @Test("P36: an in-place mutation that is ended twice is one change")
    func endedTwice() {
      let carton = Carton()
      carton.append(1, endCount: 2)
      let tokens = [
        carton.observe(\.items, options: [.old, .new], changeHandler: recorder.receives("items")),
        carton.observe(\.items, options: .prior, changeHandler: recorder.receives("prior")),
        carton.observe(
          \.items.count, options: [.old, .new], changeHandler: recorder.receives("count")),
      ]
      carton.append(2, endCount: 2)
      #expect(
        recorder.take() == [
          "prior → prior", "items [1]→[1, 2]", "prior →", "count 1→2",
        ])
      tokens.forEach { $0.invalidate() }
      carton.append(3, endCount: 2)
      #expect(recorder.take() == [])
      #expect(carton.items == [1, 2, 3])
    }
  }
}
