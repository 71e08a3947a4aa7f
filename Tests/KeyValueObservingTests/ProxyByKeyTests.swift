import KeyValueObserving
import Testing

@KeyValueObservable
private final class Album {
  var titles: [String] = ["a", "b", "c"]
  var counts: [Int8] = []
  var notes: [String]?
  var marks: Set<Int> = [1, 2]
  var states: Set<State>?
  var anything: Any?
  var name = ""
  var next: Album?
  var albums: [Album] = []
  var byName: [String: [Int]] = [:]
  private(set) var sealed: [Int] = []
  var doubled: [Int] {
    get { counts.map { Int($0) * 2 } }
    set { counts = newValue.map { Int8($0 / 2) } }
  }

  enum State: String { case draft, done }
}

extension AllTests {
  @Suite("Proxies by key")
  struct ProxyByKeyTests {
    private let recorder = Recorder()
    private let album = Album()

    private func observe<Value>(_ keyPath: KeyPath<Album, Value>) -> KeyValueObservation {
      album.observe(keyPath, options: [.old, .new], changeHandler: recorder.receives("typed"))
    }

    private func observe(_ keyPath: String) throws -> KeyValueObservation {
      try album.observe(keyPath, options: [.old, .new], changeHandler: recorder.receives("string"))
    }

    @Test(
      "P35: mutations deliver the indexes to typed and string observers, in the property's values")
    func kinds() throws {
      let tokens = [observe(\.titles), try observe("titles")]
      let titles = try album.mutableArrayValue(forKey: "titles")
      titles.append("d")
      titles.remove(at: RangeSet([0..<1, 2..<3]))
      titles[0] = "B"
      titles.replaceSubrange(1..., with: ["x", "y"])
      titles.reverse()
      #expect(album.titles == ["y", "x", "B"])
      #expect(
        recorder.take() == [
          #"typed →["d"] insertion [3]"#, #"string →["d"] insertion [3]"#,
          #"typed ["a", "c"]→ removal [0, 2]"#, #"string ["a", "c"]→ removal [0, 2]"#,
          #"typed ["b"]→["B"] replacement [0]"#, #"string ["b"]→["B"] replacement [0]"#,
          #"typed ["d"]→ removal [1]"#, #"string ["d"]→ removal [1]"#,
          #"typed →["x", "y"] insertion [1, 2]"#, #"string →["x", "y"] insertion [1, 2]"#,
          #"typed ["B", "y"]→["y", "B"] replacement [0, 2]"#,
          #"string ["B", "y"]→["y", "B"] replacement [0, 2]"#,
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P35: a proxy by key shows the set as it is, also if the property was set elsewhere")
    func liveSet() throws {
      let marks = try album.mutableSetValue(forKey: "marks")
      #expect(Set(marks) == [1, 2])
      album.marks = [3]
      #expect(Set(marks) == [3])
      marks.insert(4)
      album.marks.remove(3)
      #expect(Set(marks) == [4])
    }

    @Test("P35: a proxy by key edits the set in place, also if its members were read before")
    func setInPlace() throws {
      var address: UInt { unsafeBitCast(album.marks, to: UInt.self) }
      album.marks.reserveCapacity(64)
      let marks = try album.mutableSetValue(forKey: "marks")
      #expect(Set(marks) == [1, 2])
      let former = address
      marks.insert(3)
      #expect(address == former)
      #expect(Set(marks) == [1, 2, 3])
    }

    @Test("P19: a pair may insert the elements of a property of any type that was nil")
    func elementsOfAnything() {
      var changes: [(kind: KeyValueChangeKind, indexes: RangeSet<Int>?)] = []
      let token = album.observe(\.anything, options: .new) { _, change in
        changes.append((change.kind, change.indexes))
      }
      album.willChange(.insertion, valuesAt: RangeSet(0..<1), forKey: "anything")
      album.anything = ["x"]
      album.didChange(.insertion, valuesAt: RangeSet(0..<1), forKey: "anything")
      #expect(changes.map(\.kind) == [.setting, .insertion])
      #expect(changes.last?.indexes == RangeSet(0..<1))
      withExtendedLifetime(token) {}
    }

    @Test("Proxies show the array as it is, without optional layers")
    func live() throws {
      let titles = try album.mutableArrayValue(forKey: "titles")
      let other = try album.mutableArrayValue(forKey: "titles")
      album.titles = ["x"]
      other.append("y")
      #expect(titles.map { $0 as? String } == ["x", "y"])
      #expect(titles.count == 2)
      #expect(titles[1] as? String == "y")
      let anything = try album.mutableArrayValue(forKey: "anything")
      anything.append(contentsOf: [nil, Any?.some(Any?.none as Any)])
      #expect(anything.allSatisfy { $0 == nil })
    }

    @Test("P42: elements are converted where nothing is lost, or nothing is changed")
    func conversion() throws {
      let diagnostics = Diagnostics()
      let token = observe(\.counts)
      let counts = try album.mutableArrayValue(forKey: "counts")
      counts.append(contentsOf: [1.0, UInt(2), true])
      #expect(album.counts == [1, 2, 1])
      #expect(recorder.take() == ["typed →[1, 2, 1] insertion [0, 1, 2]"])
      #expect(diagnostics.take() == [])
      counts.append(300)
      counts.append(contentsOf: [7, "eight"])
      counts[0] = nil
      counts.replaceSubrange(0..<2, with: [9.5])
      #expect(album.counts == [1, 2, 1])
      #expect(recorder.take() == [])
      let sentences = diagnostics.take()
      #expect(sentences.count == 4)
      #expect(
        sentences.first == """
          Album.counts: the mutation has no effect, because 300 cannot be converted to Int8 \
          without loss. Pass elements of type Int8.
          """)
      withExtendedLifetime(token) {}
    }

    @Test("The first insertion into nil makes the array")
    func autovivification() throws {
      let tokens = [
        observe(\.notes),
        album.observe(
          \.notes, options: [.new, .distinct], changeHandler: recorder.receives("distinct")),
      ]
      let notes = try album.mutableArrayValue(forKey: "notes")
      notes.removeAll()
      #expect(notes.isEmpty)
      #expect(album.notes == nil)
      notes.append("a")
      #expect(album.notes == ["a"])
      album.notes = nil
      #expect(
        recorder.take() == [
          #"typed →["a"] insertion [0]"#, #"distinct →["a"] insertion [0]"#,
          #"typed ["a"]→nil"#, "distinct →nil",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P35: a computed property is edited through its setter")
    func computed() throws {
      album.counts = [1]
      let token = observe(\.counts)
      try album.mutableArrayValue(forKey: "doubled").append(8)
      #expect(recorder.take() == ["typed [1]→[1, 4]"])
      token.invalidate()
    }

    @Test("A key of a dictionary is edited, and what is put in becomes an object")
    func dictionary() throws {
      let dictionary = KeyValueDictionary(["items": [["price": 1]], "name": "x"])
      let tokens = try ["items", "missing", "items.@sum.price"].map {
        try dictionary.observe($0, options: [.old, .new]) { [recorder] _, change in
          recorder.write("\(change.kind) \(change.indexes?.ranges.map(\.lowerBound) ?? [])")
        }
      }
      let items = try dictionary.mutableArrayValue(forKey: "items")
      items.append(["price": 2])
      #expect((items[1] as? KeyValueDictionary)?["price"] as? Int == 2)
      #expect(try dictionary.value(forKeyPath: "items.@sum.price") as? Int == 3)
      try dictionary.mutableArrayValue(forKey: "missing").append(nil)
      #expect(dictionary["missing"] as? [Any?] != nil)
      (items[1] as? KeyValueDictionary)?["price"] = 5
      #expect(recorder.take() == ["insertion [1]", "setting []", "insertion [0]", "setting []"])
      #expect(throws: KeyValueCodingError.self) { try dictionary.mutableArrayValue(forKey: "name") }
      withExtendedLifetime(tokens) {}
    }

    @Test("P15: an edit of a dictionary's array does not copy it")
    func inPlace() throws {
      var elements = [Any?](repeating: 1, count: 100)
      elements.reserveCapacity(200)
      let dictionary = KeyValueDictionary()
      dictionary["items"] = elements
      elements = []
      let items = try dictionary.mutableArrayValue(forKey: "items")
      let token = try dictionary.observe("items", options: [.old, .new]) { _, _ in }
      func address() -> UnsafeRawPointer? {
        (dictionary["items"] as? [Any?])?.withUnsafeBytes { $0.baseAddress }
      }
      items.append(1)  // The dictionary has made an array of its own.
      let before = address()
      items[5] = 2
      items.remove(at: 100)
      items.append(3)
      #expect(address() == before)
      #expect(items.count == 101)
      token.invalidate()
    }

    @Test("What is no array any more is left alone, with a diagnostic")
    func noArrayAnyMore() throws {
      let diagnostics = Diagnostics()
      let anything = try album.mutableArrayValue(forKey: "anything")
      album.anything = "text"
      let token = observe(\.anything)
      anything.append(1)
      #expect(album.anything as? String == "text")
      #expect(anything.isEmpty)
      #expect(recorder.take() == [])
      #expect(
        diagnostics.take() == [
          """
          Album.anything: the mutation has no effect, because the property no longer holds a \
          collection but a value of type String. Assign nil or a collection before using the proxy.
          """
        ])
      token.invalidate()
    }

    @Test("P42: a key for which there can be no proxy throws")
    func refused() throws {
      let mismatch = { (key: String, type: Any.Type, kind: Any.Type) -> KeyValueCodingError in
        .typeMismatch(
          type: Album.self, key: key, expected: type, actual: kind,
          value: "the collection of a proxy")
      }
      let (array, set) = ([Any?].self, Set<AnyHashable>.self)
      #expect(
        throws: KeyValueCodingError.undefinedKey("tiles", type: Album.self, suggestion: "titles")
      ) {
        try album.mutableArrayValue(forKey: "tiles")
      }
      #expect(throws: KeyValueCodingError.readOnly(type: Album.self, key: "sealed")) {
        try album.mutableArrayValue(forKey: "sealed")
      }
      #expect(throws: mismatch("name", String.self, array)) {
        try album.mutableArrayValue(forKey: "name")
      }
      #expect(throws: mismatch("marks", Set<Int>.self, array)) {
        try album.mutableArrayValue(forKey: "marks")
      }
      #expect(throws: mismatch("titles", [String].self, set)) {
        try album.mutableSetValue(forKey: "titles")
      }
      album.anything = 1
      #expect(throws: mismatch("anything", Int.self, array)) {
        try album.mutableArrayValue(forKey: "anything")
      }
    }

    @Test("P35: a path leads to the last object, and throws where a link is nil")
    func path() throws {
      let next = Album()
      album.next = next
      let token = try observe("next.titles")
      let titles = try album.mutableArrayValue(forKeyPath: "next.titles")
      titles.append("d")
      #expect(recorder.take() == [#"string →["d"] insertion [3]"#])
      album.next = nil
      titles.removeLast()
      #expect(next.titles == ["a", "b", "c"])
      let nilLink = KeyValueCodingError.nilLink(keyPath: "next.marks", key: "next")
      #expect(throws: nilLink) { try album.mutableArrayValue(forKeyPath: "next.marks") }
      #expect(throws: nilLink) { try album.mutableSetValue(forKeyPath: "next.marks") }
      for wrong in ["", "self", "titles.", "titles.@count", "albums.titles", "byName.a", "name.x"] {
        #expect(throws: KeyValueCodingError.self) {
          try album.mutableArrayValue(forKeyPath: wrong)
        }
      }
      token.invalidate()
    }

    @Test("P35: the mutations of a set deliver the inserted and removed members")
    func sets() throws {
      let token = try album.observe("marks", options: [.old, .new]) { [recorder] _, change in
        func sorted(_ value: Any??) -> [Int] { (value as? Set<Int>)?.sorted() ?? [] }
        recorder.write("\(change.kind) \(sorted(change.oldValue))→\(sorted(change.newValue))")
      }
      let marks = try album.mutableSetValue(forKey: "marks")
      #expect(marks.insert(3))
      #expect(!marks.insert(3.0))
      #expect(marks.remove(true) == AnyHashable(1))
      marks.formUnion([3, 4])
      marks.subtract([4.0, 9])
      marks.formIntersection([3.0, 5])
      marks.assign([true, 3.0, 6])
      marks.assign([6, 3, 1])
      #expect(album.marks == [1, 3, 6])
      #expect(marks.map { $0 } == Array(marks))
      #expect(Set(marks) == [1, 3, 6])
      #expect(
        recorder.take() == [
          "insertion []→[3]", "removal [1]→[]", "insertion []→[4]", "removal [4]→[]",
          "removal [2]→[]", "replacement []→[1, 6]",
        ])
      token.invalidate()
    }

    @Test("P35: priors of the edits of a set have what goes, and never what comes")
    func setPriors() throws {
      let tokens = [
        album.observe(
          \.marks, options: [.old, .new, .prior], changeHandler: recorder.receives("marks")),
        try album.observe(
          "marks.@count", options: [.old, .new], changeHandler: recorder.receives("count")),
      ]
      let marks = try album.mutableSetValue(forKey: "marks")
      marks.insert(3)
      marks.formIntersection([3])
      marks.assign([4])
      #expect(
        recorder.take().map { $0.replacing("[2, 1]", with: "[1, 2]") } == [
          "marks → insertion prior", "marks →[3] insertion", "count 2→3",
          "marks [1, 2]→ removal prior", "marks [1, 2]→ removal", "count 3→1",
          "marks [3]→ replacement prior", "marks [3]→[4] replacement", "count 1→1",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P35: optional sets and sets in any property are made and converted")
    func otherSets() throws {
      let diagnostics = Diagnostics()
      let token = observe(\.states)
      let states = try album.mutableSetValue(forKey: "states")
      #expect(states.insert("draft"))
      #expect(!states.insert(Album.State.draft))
      states.assign(["draft"])
      #expect(!states.insert("nonsense"))
      #expect(album.states == [.draft])
      #expect(recorder.take() == ["typed →\([Album.State.draft]) insertion"])
      #expect(diagnostics.take().count == 1)
      let anything = try album.mutableSetValue(forKey: "anything")
      anything.formUnion([1, "a"])
      #expect(album.anything as? Set<AnyHashable> == [1, "a"])
      token.invalidate()
    }

    @Test("P42: key paths run through proxies")
    func keyPaths() throws {
      let shelf = KeyValueDictionary()
      album.albums = [Album(), Album()]
      album.albums[1].name = "second"
      shelf["albums"] = try album.mutableArrayValue(forKey: "albums")
      shelf["typed"] = album.mutableArrayValue(for: \.albums)
      shelf["marks"] = try album.mutableSetValue(forKey: "marks")
      #expect(try shelf.value(forKeyPath: "albums.name") as? [String] == ["", "second"])
      #expect(try shelf.value(forKeyPath: "typed.@count") as? Int == 2)
      album.anything = album.albums as [Any]
      #expect(try album.value(forKeyPath: "anything.name") as? [String] == ["", "second"])
      #expect(try shelf.value(forKeyPath: "marks.@sum.self") as? Int == 3)
    }
  }
}
