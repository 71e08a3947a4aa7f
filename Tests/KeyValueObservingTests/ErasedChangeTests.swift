import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Changes of any type")
  struct ErasedChangeTests {
    @Test("P2: a value of any type is distinguished from nil and from none")
    func presence() {
      let present: [Any??] = [
        1, "a text that does not fit into a word", Wide(), Canary {}, [1], Int.self, (1, 2),
        .some(.some(Optional<Int>.none as Any)),
      ]
      for value in present { #expect(isPresent(value)) }
      #expect(!isPresent(.some(nil)) && !isPresent(.none))
    }

    @Test(
      "P32: a change of any type releases its values",
      arguments: [[], .old, .new, [.old, .new]] as [KeyValueObservation.Options], [false, true])
    func released(options: KeyValueObservation.Options, isAlongPath: Bool) throws {
      let box = KeyValueDictionary()
      let root = KeyValueDictionary(["box": box])
      var deallocations = 0
      var received = 0
      let token = try (isAlongPath ? root : box).observe(
        isAlongPath ? "box.a" : "a", options: options
      ) { _, _ in received += 1 }
      box["a"] = Canary { deallocations += 1 }
      box["a"] = Wide(canary: Canary { deallocations += 1 })
      box["a"] = [Canary { deallocations += 1 }]
      box["a"] = nil
      #expect(received == 4 && deallocations == 3)
      withExtendedLifetime((token, root)) {}
    }

    @Test(
      "P5: a change of any type that an observer keeps owns its values", arguments: ["a", "b.a"])
    func kept(keyPath: String) throws {
      let box = KeyValueDictionary(["a": 0, "b": ["a": 0]])
      var kept: [KeyValueChange<Any?>] = []
      let token = try box.observe(keyPath, options: [.old, .new]) { _, change in kept.append(change)
      }
      for value in 1...3 {
        try box.setValue("value \(value), which is on the heap", forKeyPath: keyPath)
      }
      #expect(kept.map { "\($0.newValue!!)".prefix(7) } == ["value 1", "value 2", "value 3"])
      #expect(kept.dropFirst().map { "\($0.oldValue!!)".prefix(7) } == ["value 1", "value 2"])
      withExtendedLifetime(token) {}
    }

    @Test("P2: the values of a change of any type are read and written as those of others")
    func accessors() {
      var change = KeyValueChange<Any?>(newValue: 1, oldValue: .some(nil))
      #expect([change].map(\.newValue).map { $0 as? Int } == [1])
      #expect(change.oldValue.map { $0 == nil } == true)
      change.newValue = nil
      change.oldValue = "a"
      #expect(change.newValue == nil && change.oldValue as? String == "a")
      change[keyPath: \.newValue] = 2
      #expect(values(of: change).map { $0 as? Int } == [2, nil])
    }

    /// The values of a change, read by code that does not know their type.
    private func values<Value>(of change: KeyValueChange<Value>) -> [Any?] {
      [change.newValue, change.oldValue]
    }
  }
}

/// More than fits beside a type's address, so that it is in a box.
private struct Wide {
  var words = (1, 2, 3, 4)
  var canary: Canary?
}

private func isPresent(_ value: Any??) -> Bool {
  withUnsafePointer(to: value) { RuntimeLayout.holdsValue($0) }
}
