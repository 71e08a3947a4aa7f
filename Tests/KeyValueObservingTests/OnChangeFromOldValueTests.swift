import KeyValueObserving
import Testing

extension AllTests {
  @Suite("onChange with the old and the new value")
  struct OnChangeFromOldValueTests {
    private let recorder = Recorder()

    @Test("P8: the closure receives the value before each change and the one after it")
    func values() {
      let person = Person("Ann")
      let tokens = [
        person.onChange(of: \.name) { self.recorder.write("\($0) → \($1)") },
        person.onChange(of: \.title) { self.recorder.write("\($0) → \($1)") },
      ]
      person.name = "Bob"
      person.name = "Bob"
      #expect(
        recorder.take() == [
          "Ann → Bob", "Ann (0) → Bob (0)", "Bob → Bob", "Bob (0) → Bob (0)",
        ])
      tokens.forEach { $0.invalidate() }
      person.name = "Cid"
      #expect(recorder.take() == [])
    }

    @Test("P3: with initial the closure is called at once, with the present value twice")
    func initial() {
      let person = Person("Ann")
      let token = person.onChange(of: \.name, initial: true) { oldName, newName in
        self.recorder.write("\(oldName) → \(newName)")
        if newName == "Ann" { person.name = "Bob" }
      }
      #expect(recorder.take() == ["Ann → Ann", "Ann → Bob"])
      token.invalidate()
      let later = person.onChange(of: \.name, initial: false) { recorder.write("\($0), \($1)") }
      #expect(recorder.take() == [])
      later.invalidate()
    }

    @Test("P2: values of optional properties and paths are optional once")
    func optionals() {
      let person = Person("Ann")
      var changes: [[String?]] = []
      let tokens = [
        person.onChange(of: \.note) { changes.append([$0, $1]) },
        person.onChange(of: \.boss?.name, initial: true) { changes.append([$0, $1]) },
      ]
      person.note = "a"
      person.boss = Person("Top")
      person.note = nil
      #expect(changes == [[nil, nil], [nil, "a"], [nil, "Top"], ["a", nil]])
      withExtendedLifetime((tokens, person)) {}
    }

    @Test("P35: after an edit by proxy both are whole collections")
    func edits() {
      let person = Person("Ann")
      person.tags = ["a", "b", "c", "d"]
      let tags = person.mutableArrayValue(for: \.tags)
      var changes: [[[String]]] = []
      let token = person.onChange(of: \.tags) { changes.append([$0, $1]) }
      tags.remove(at: RangeSet([0..<1, 2..<3]))
      tags.insert(contentsOf: ["x", "y"], at: 1)
      tags.replace(at: RangeSet(1..<3), with: ["z", "w"])
      tags[0] = "B"
      person.tags.append("e")
      #expect(
        changes == [
          [["a", "b", "c", "d"], ["b", "d"]], [["b", "d"], ["b", "x", "y", "d"]],
          [["b", "x", "y", "d"], ["b", "z", "w", "d"]],
          [["b", "z", "w", "d"], ["B", "z", "w", "d"]],
          [["B", "z", "w", "d"], ["B", "z", "w", "d", "e"]],
        ])
      token.invalidate()
    }

    @Test("P35: edits of sets by proxy, and of collections that are optional, are undone as well")
    func editsOfSets() {
      let library = Library()
      var numbers: [[Set<Int>]] = []
      var words: [[[String]?]] = []
      let tokens = [
        library.onChange(of: \.numbers) { numbers.append([$0, $1]) },
        library.onChange(of: \.words) { words.append([$0, $1]) },
      ]
      let proxy = library.mutableSetValue(for: \.numbers)
      proxy.formUnion([3, 4])
      proxy.subtract([1, 3])
      proxy.assign([4, 5])
      #expect(
        numbers == [[[1, 2], [1, 2, 3, 4]], [[1, 2, 3, 4], [2, 4]], [[2, 4], [4, 5]]])
      library.words?.append("b")
      #expect(words == [[["a"], ["a", "b"]]])
      withExtendedLifetime((tokens, library)) {}
    }

    @Test("P27: both parameters are the new value if the old one is not known")
    func deallocation() {
      let person = Person("Ann")
      var count = 0
      let token = person.onChange(of: \.friend) {
        #expect($0 == nil || $1 == nil)
        count += 1
      }
      do {
        let friend = Person("Bob")
        person.friend = friend
      }
      #expect(count == 2)
      withExtendedLifetime((token, person)) {}
    }

    @Test("closures without parameters, with one and with two find their form of onChange")
    func forms() {
      let counter = Counter()
      var log: [String] = []
      let tokens = [
        counter.onChange(of: \.value) { log.append("changed") },
        counter.onChange(of: \.value) { log.append("\($0)") },
        counter.onChange(of: \.value) { log.append("\($0) → \($1)") },
        // A tuple may be taken apart by the closure for one value.
        counter.onChange(of: \.pair) { first, second in log.append("\(first), \(second)") },
      ]
      counter.value = 1
      counter.pair = (2, 3)
      #expect(log == ["changed", "1", "0 → 1", "2, 3"])
      withExtendedLifetime((tokens, counter)) {}
    }

    @Test("P40: with isolation nil any thread may call the closure")
    func nonisolated() {
      let node = Counter()
      let changes = Changes()
      let token = node.onChange(of: \.value, initial: true, isolation: nil) { oldValue, newValue in
        changes.values.append([oldValue, newValue])
      }
      node.value = 1
      #expect(changes.values == [[0, 0], [0, 1]])
      token.invalidate()
    }

    /// Used by one thread.
    private final class Changes: @unchecked Sendable {
      var values: [[Int]] = []
    }

    @KeyValueObservable
    final class Counter {
      var value = 0
      var pair = (0, 0)
    }

    @KeyValueObservable
    final class Library {
      var numbers: Set<Int> = [1, 2]
      var words: [String]? = ["a"]
    }
  }
}
