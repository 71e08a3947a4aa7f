import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Finding observed keys")
  struct ObservedKeyLookupTests {
    @Test("P16: a key that was never observed is known to have no observers by its mark alone")
    func unobservedKey() {
      let person = Person("a")
      let token = person.observe(\.name) { _, _ in }
      let context = person.observationContext
      #expect(context.mayHaveKey(named: KeyName("name")))
      #expect(!context.mayHaveKey(named: KeyName("age")))
      withExtendedLifetime(token) {}
    }

    @Test("P16: names have the marks of their text, wherever it lies in memory")
    func marks() {
      for name in ["a", "ab", "name", "isFinished"] as [StaticString] {
        let text = "\(name)"
        text.withKeyName { borrowed in
          #expect(borrowed.marksOfEqualNames & KeyName(name).markBit != 0)
          #expect(KeyName(name).marksOfEqualNames == borrowed.marksOfEqualNames)
          // The mark of names whose text is not looked at for each assignment.
          #expect(borrowed.marksOfEqualNames & borrowed.markBit != 0)
        }
      }
    }

    @Test(
      "P38: keys that are equal in another form have each other's marks",
      arguments: [("\u{E9}t\u{E9}", "e\u{301}te\u{301}"), ("\u{212A}elvin", "Kelvin")])
    func formsOfAccents(first: String, second: String) {
      for (observed, set) in [(first, second), (second, first)] {
        let document = KeyValueDictionary([set: 0])
        var received = 0
        let token = try? document.observe(observed) { _, _ in received += 1 }
        document[set] = 1
        #expect(received == 1)
        withExtendedLifetime(token) {}
      }
    }

    @Test("P38: a key of many is found by each name with its text, and others are not")
    func table() throws {
      let context = ObservationContext()
      let keys = (0..<200).map { number in
        "key \(number)".withKeyName { context.makeObservedKey(named: $0, isManual: false) }
      }
      for (number, key) in keys.enumerated() {
        #expect(context.identicalKey(named: key.name)?.takeUnretainedValue() === key)
        "key \(number)".withKeyName { name in
          #expect(context.identicalKey(named: name) == nil)
          #expect(context.observedKey(named: name)?.takeUnretainedValue() === key)
          #expect(context.makeObservedKey(named: name, isManual: false) === key)
        }
      }
      #expect("key 200".withKeyName { context.observedKey(named: $0) } == nil)
      #expect(context.observedKey(named: KeyName("key")) == nil)
      context.checkInvariants()
    }

    @Test("P38: a thread that looks for keys finds each while another thread adds keys")
    func growingTable() async {
      let context = ObservationContext()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            for number in 0..<500 {
              let key = "key \(number)".withKeyName {
                context.makeObservedKey(named: $0, isManual: false)
              }
              for former in Swift.max(0, number - 3)...number {
                let found = "key \(former)".withKeyName { context.observedKey(named: $0) }
                #expect(found != nil)
              }
              #expect(context.identicalKey(named: key.name)?.takeUnretainedValue() === key)
            }
          }
        }
      }
      context.checkInvariants()
    }

    @Test("P8: with more observed keys than a list holds, each assignment notifies its observer")
    func manyObservedKeys() {
      let object = Twelve()
      var received: [String] = []
      let tokens = Twelve.keyPaths.map { key, keyPath in
        object.observe(keyPath, options: .new) { _, change in
          received.append("\(key) \(change.newValue ?? -1)")
        }
      }
      object.setAll(to: 7)
      #expect(received == Twelve.keyPaths.map { "\($0.key) 7" })
      object.unobserved = 1
      #expect(received.count == 12)
      withExtendedLifetime((tokens, object)) {}
    }
  }
}

@KeyValueObservable
private final class Twelve {
  var a = 0
  var b = 0
  var c = 0
  var d = 0
  var e = 0
  var f = 0
  var g = 0
  var h = 0
  var i = 0
  var j = 0
  var k = 0
  var l = 0
  var unobserved = 0

  static var keyPaths: [(key: String, keyPath: ReferenceWritableKeyPath<Twelve, Int>)] {
    [
      ("a", \.a), ("b", \.b), ("c", \.c), ("d", \.d), ("e", \.e), ("f", \.f), ("g", \.g),
      ("h", \.h), ("i", \.i), ("j", \.j), ("k", \.k), ("l", \.l),
    ]
  }

  func setAll(to value: Int) {
    for (_, keyPath) in Twelve.keyPaths { self[keyPath: keyPath] = value }
  }
}
