import KeyValueObserving
import Testing

/// Notifies in its property observers, as classes do that come from Cocoa.
@KeyValueObservable
private final class Download {
  var state = "new" {
    willSet { willChangeValue(for: \.state) }
    didSet { didChangeValue(for: \.state) }
  }
  @KeyValueIgnored var bytes = 0
  var received: Int { bytes }
  var rate: Int {
    get { bytes }
    set { withMutation(of: \.rate) { bytes = newValue } }
  }
  @KeyValueDependent(on: "state") var progress: Int { bytes }
  var width = 1
  var height = 2
  var area: Int { width * height }
  var doubled: Int { area * 2 }
  var parts = ["a"]
  var labels: [String]? {
    didSet { labels?.append("x") }
  }
  @KeyValueIgnored var memo: [String]?
  var notes: [String]? { memo }
  var marks: Set<Int> = [1]
  var content: Any = [1, 2]
}

extension AllTests {
  @Suite("Pairs around other changes")
  struct PairTests {
    private let recorder = Recorder()
    private let download = Download()

    private func observe<Value>(_ name: String, _ keyPath: KeyPath<Download, Value>)
      -> KeyValueObservation
    {
      download.observe(keyPath, options: [.old, .new], changeHandler: recorder.receives(name))
    }

    @Test("P19: a property that notifies in willSet and didSet is delivered twice")
    func ownPair() throws {
      let token = observe("state", \.state)
      download.state = "done"
      #expect(recorder.take() == ["state new→done", "state new→done"])
      try download.setValue("gone", forKey: "state")
      #expect(recorder.take() == ["state done→gone", "state done→gone"])
      token.invalidate()
    }

    @Test("P19: pairs of two inputs are one change each of what is computed from both")
    func twoInputs() {
      let token = observe("area", \.area)
      download.willChangeValue(for: \.width)
      download.willChangeValue(for: \.height)
      download.didChangeValue(for: \.height)
      download.didChangeValue(for: \.width)
      #expect(recorder.take() == ["area 2→2", "area 2→2"])
      token.invalidate()
    }

    @Test("P19: manual notifications of a computed key are no changes of its inputs")
    func computed() {
      let tokens = [
        observe("width", \.width), observe("area", \.area), observe("received", \.received),
      ]
      download.willChangeValue(for: \.area)
      download.didChangeValue(for: \.area)
      #expect(recorder.take() == ["area 2→2"])
      download.withMutation(of: \.received) { download.bytes = 8 }
      #expect(recorder.take() == ["received 0→8"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P43: a setter that stores elsewhere and notifies is delivered once for each set")
    func ownStorage() throws {
      let token = observe("rate", \.rate)
      download.rate = 5
      try download.setValue(6, forKey: "rate")
      try download.setValues(["rate": 7])
      #expect(recorder.take() == ["rate 0→5", "rate 5→6", "rate 6→7"])
      token.invalidate()
    }

    @Test("P2: the old value is read when the change begins, not the last delivered value")
    func silentStorage() {
      let token = observe("progress", \.progress)
      download.bytes = 5
      download.withMutation(of: \.state) { download.bytes = 6 }
      #expect(recorder.take() == ["progress 5→6"])
      token.invalidate()
    }

    @Test("P19: a mutation inside a pair is delivered, and so is the pair")
    func editInPair() {
      let token = observe("parts", \.parts)
      download.willChangeValue(for: \.parts)
      download.mutableArrayValue(for: \.parts).append("b")
      download.didChangeValue(for: \.parts)
      #expect(
        recorder.take() == [#"parts →["b"] insertion [1]"#, #"parts ["a"]→["a", "b"]"#])
      token.invalidate()
    }

    @Test("P19: however a pair is completed, what was said before the change counts")
    func otherEnd() {
      let tokens = [
        observe("parts", \.parts),
        download.observeElements(of: \.parts) { _, change in
          self.recorder.write("\(change.insertions.map(\.element))")
        },
      ]
      let ends: [() -> Void] = [
        { download.didChangeValue(forKey: "parts") }, { download.didChangeValue(for: \.parts) },
      ]
      for end in ends {
        download.parts = ["a", "b"]
        _ = recorder.take()
        download.willChange(.insertion, valuesAt: RangeSet(1..<2), for: \.parts)
        end()
        #expect(recorder.take() == [#"parts →["b"] insertion [1]"#, #"["b"]"#])
        download.willChange(.replacement, valuesAt: RangeSet(1..<2), for: \.parts)
        end()
        #expect(recorder.take() == [#"parts ["b"]→["b"] replacement [1]"#])
      }
      download.willChangeValue(for: \.parts)
      download.didChange(.removal, valuesAt: RangeSet(0..<1), for: \.parts)
      #expect(recorder.take() == [#"parts ["a", "b"]→["a", "b"]"#])
      withExtendedLifetime(tokens) {}
    }

    @Test("P9: an edit that does not fit what distinct knows leaves it knowing nothing, not nil")
    func distinct() throws {
      let options: KeyValueObservation.Options = [.new, .distinct]
      let tokens = [
        download.observe(\.labels, options: options, changeHandler: recorder.receives("typed")),
        try download.observe(
          "labels", options: options, changeHandler: recorder.receives("string")),
      ]
      download.labels = ["a"]
      let labels = try download.mutableArrayValue(forKey: "labels")
      // Behind it the property inserts an element without a notification, which is then removed.
      labels.append("b")
      labels.remove(at: 3)
      _ = recorder.take()
      download.labels = nil
      #expect(recorder.take() == ["typed →nil", "string →nil"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19: an indexed pair by key delivers the elements")
    func indexedByKey() throws {
      let document = KeyValueDictionary(["list": ["x", "y"]])
      download.parts = ["a", "b"]
      let tokens = [
        observe("parts", \.parts), observe("rate", \.rate), observe("notes", \.notes),
        try download.observe(
          "parts", options: .old, changeHandler: recorder.receives("string")),
        try document.observe(
          "list", options: [.new, .old], changeHandler: recorder.receives("list")),
      ]
      let place = RangeSet(0..<1)
      for kind in [KeyValueChangeKind.insertion, .removal, .replacement] {
        download.willChange(kind, valuesAt: place, forKey: "parts")
        download.didChange(kind, valuesAt: place, forKey: "parts")
      }
      #expect(
        recorder.take() == [
          #"parts →["a"] insertion [0]"#, "string → insertion [0]",
          #"parts ["a"]→ removal [0]"#, #"string ["a"]→ removal [0]"#,
          #"parts ["a"]→["a"] replacement [0]"#, #"string ["a"]→ replacement [0]"#,
        ])
      download.willChange(.insertion, valuesAt: place, forKey: "notes")
      download.memo = ["n", "o"]
      download.didChange(.insertion, valuesAt: place, forKey: "notes")
      document.willChange(.insertion, valuesAt: place, forKey: "list")
      document.didChange(.insertion, valuesAt: place, forKey: "list")
      download.willChange(.removal, valuesAt: place, forKey: "rate")
      download.didChange(.removal, valuesAt: place, forKey: "rate")
      #expect(
        recorder.take() == [
          #"notes →["n"] insertion [0]"#, #"list →[Optional("x")] insertion [0]"#, "rate 0→0",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19: an indexed pair by key of a property of type Any delivers the elements too")
    func indexedAnything() {
      let token = observe("content", \.content)
      let place = RangeSet(1..<2)
      download.willChange(.insertion, valuesAt: place, forKey: "content")
      download.didChange(.insertion, valuesAt: place, forKey: "content")
      download.willChange(.replacement, valuesAt: place, forKey: "content")
      download.didChange(.replacement, valuesAt: place, forKey: "content")
      download.content = 3
      download.willChange(.insertion, valuesAt: place, forKey: "content")
      download.didChange(.insertion, valuesAt: place, forKey: "content")
      #expect(
        recorder.take() == [
          "content →[2] insertion [1]", "content [2]→[2] replacement [1]", "content [1, 2]→3",
          "content 3→3",
        ])
      token.invalidate()
    }

    @Test("P19: a pair is delivered although no element changes")
    func noElements() {
      let tokens = [observe("parts", \.parts), observe("marks", \.marks)]
      download.willChange(.insertion, valuesAt: RangeSet(), for: \.parts)
      download.didChange(.insertion, valuesAt: RangeSet(), for: \.parts)
      download.willChangeValue(for: \.marks, withSetMutation: .union, using: [1])
      download.didChangeValue(for: \.marks, withSetMutation: .union, using: [1])
      #expect(recorder.take() == ["parts →[] insertion []", "marks →[] insertion"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P2, P19: indexes that the array does not have are in no change")
    func impossibleIndexes() {
      download.parts = ["a", "b"]
      let tokens = [observe("parts", \.parts), observe("content", \.content)]
      let places = RangeSet([-2 ..< -1, 1..<2, 3..<4, 9..<12])
      download.willChange(.insertion, valuesAt: places, for: \.parts)
      download.parts = ["a", "x", "b", "y"]
      download.didChange(.insertion, valuesAt: places, for: \.parts)
      download.willChange(.removal, valuesAt: places, forKey: "content")
      download.content = [1]
      download.didChange(.removal, valuesAt: places, forKey: "content")
      download.withMutation(of: \.parts, .replacement, at: RangeSet(4..<5)) {}
      // The assignments are changes as well.
      let edits = recorder.take().filter { !$0.contains("→[\"a\", \"x\"") && !$0.hasSuffix("→[1]") }
      #expect(
        edits == [
          #"parts →["x", "y"] insertion [1, 3]"#, "content [2]→ removal [1]",
          "parts []→[] replacement []",
        ])
      withExtendedLifetime(tokens) {}
    }
  }
}
