import KeyValueObserving
import Testing

@KeyValueObservable
private final class Playlist {
  var tracks = [1, 2]
  var marks: Set<Int> = [1]
  var next: Playlist?
  var shown: [Int] {
    get { tracks }
    set { tracks = newValue }
  }
  var ordered: [Int] {
    get { tracks.sorted() }
    set { tracks = newValue }
  }
  var titles: [String] {
    get { tracks.map { "title of track \($0)" } }
    set { tracks = newValue.map { Int($0.dropFirst(15)) ?? 0 } }
  }
  var levels = [Double.nan]
  var shownLevels: [Double] {
    get { levels }
    set { levels = newValue }
  }
  @KeyValueIgnored var evaluationCount = 0
  var counted: [Int] {
    get {
      evaluationCount += 1
      return tracks.sorted()
    }
    set { tracks = newValue }
  }
  var shownMarks: Set<Int> {
    get { marks.filter { $0 < 10 } }
    set { marks = newValue }
  }
}

extension AllTests {
  /// Edits by proxy of collections that a getter computes and a setter stores.
  @Suite("Edits of computed collections")
  struct ComputedEditTests {
    private let recorder = Recorder()
    private let options: KeyValueObservation.Options = [.old, .new]
    private let list = Playlist()

    @Test("P35: an edit is delivered as one, as long as it is all that happens to the collection")
    func plain() {
      let tokens = [
        list.observe(\.shown, options: options, changeHandler: recorder.receives("shown")),
        list.observe(\.shownMarks, options: options, changeHandler: recorder.receives("marks")),
      ]
      list.mutableArrayValue(for: \.shown).insert(3, at: 1)
      list.mutableArrayValue(for: \.shown).sort()
      list.mutableSetValue(for: \.shownMarks).insert(2)
      list.withMutation(of: \.shown, .removal, at: RangeSet(0..<1)) { list.tracks.removeFirst() }
      #expect(
        recorder.take() == [
          "shown →[3] insertion [1]", "shown [3, 2]→[2, 3] replacement [1, 2]",
          "marks →[2] insertion", "shown [1]→ removal [0]",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P35: an observer of an input that changes it again makes one change of both")
    func changedAgain() {
      var hasChanged = false
      let tokens = [
        list.observe(\.tracks) { list, _ in
          if hasChanged { return }
          hasChanged = true
          list.mutableArrayValue(for: \.tracks).append(4)
        },
        list.observe(\.shown, options: options, changeHandler: recorder.receives("shown")),
        list.observe(\.shown, changeHandler: recorder.receives("·")),
      ]
      list.mutableArrayValue(for: \.shown).append(3)
      #expect(recorder.take() == ["shown [1, 2]→[1, 2, 3, 4]", "· →"])
      hasChanged = false
      list.withMutation(of: \.shown, .removal, at: RangeSet(0..<1)) { list.tracks.removeFirst() }
      #expect(recorder.take() == ["shown [1, 2, 3, 4]→[2, 3, 4, 4]", "· →"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P35: a collection whose getter returns another one than was set is delivered whole")
    func gettersOfTheirOwn() {
      let tokens = [
        list.observe(\.ordered, options: options, changeHandler: recorder.receives("ordered")),
        list.observe(\.shownMarks, options: options, changeHandler: recorder.receives("marks")),
      ]
      list.mutableArrayValue(for: \.ordered).append(0)
      list.mutableArrayValue(for: \.ordered).append(9)
      list.mutableSetValue(for: \.shownMarks).formUnion([3, 30])
      #expect(list.ordered == [0, 1, 2, 9])
      let marks = recorder.history.last ?? ""
      #expect(marks.hasPrefix("marks [1]→[") && !marks.contains("insertion"))
      #expect(
        recorder.take().dropLast() == [
          "ordered [1, 2]→[0, 1, 2]", "ordered →[9] insertion [3]",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P46, P49: an edit and another change of its input in a transaction are one change")
    func transaction() {
      list.next = list
      // It would retain itself.
      defer { list.next = nil }
      let tokens = [
        list.observe(\.shown, options: options, changeHandler: recorder.receives("shown")),
        list.observe(\.next?.shown, options: options, changeHandler: recorder.receives("path")),
        list.observeElements(of: \.shown) { _, change in
          recorder.write("-\(change.removals.map(\.element)) +\(change.insertions.map(\.element))")
        },
      ]
      withKeyValueTransaction {
        list.mutableArrayValue(for: \.shown).append(3)
        list.tracks[0] = 7
      }
      #expect(
        recorder.take() == [
          "shown [1, 2]→[7, 2, 3]", "-[1] +[7, 3]", "path [1, 2]→[7, 2, 3]",
        ])
      withKeyValueTransaction {
        list.mutableArrayValue(for: \.shown).append(4)
        list.mutableArrayValue(for: \.shown).removeLast()
        list.tracks.removeLast()
      }
      #expect(
        recorder.take() == ["shown [7, 2, 3]→[7, 2]", "-[3] +[]", "path [7, 2, 3]→[7, 2]"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: an edit in a block of an input starts from the collection that observers know")
    func block() {
      let token = list.observe(
        \.shown, options: options, changeHandler: recorder.receives("shown"))
      list.withMutation(of: \.tracks) {
        list.tracks.append(3)
        list.mutableArrayValue(for: \.shown).remove(at: 0)
        #expect(recorder.take() == ["shown [1, 2]→[2, 3]"])
      }
      #expect(recorder.take() == ["shown [2, 3]→[2, 3]"])
      list.withMutation(of: \.tracks) {
        list.tracks.append(4)
        withKeyValueTransaction { list.mutableArrayValue(for: \.shown).remove(at: 0) }
        #expect(recorder.take() == ["shown [2, 3]→[3, 4]"])
      }
      withExtendedLifetime(token) {}
    }

    @Test("P11, P35: an edit in a block of an input without known old values is delivered whole")
    func blockWithoutOldValues() {
      list.tracks = []
      let tokens = [
        list.observe(\.shown, options: .new, changeHandler: recorder.receives("shown")),
        list.observe(\.shown, changeHandler: recorder.receives("·")),
      ]
      list.withMutation(of: \.tracks) {
        list.tracks = [5, 6]
        list.mutableArrayValue(for: \.shown).append(7)
        #expect(recorder.take() == ["shown →[5, 6, 7]", "· →"])
        list.tracks.append(8)
        withKeyValueTransaction { list.mutableArrayValue(for: \.shown).append(9) }
        #expect(recorder.take() == ["shown →[5, 6, 7, 8, 9]", "· →"])
      }
      #expect(recorder.take() == ["shown →[5, 6, 7, 8, 9]", "· →"])
      list.mutableArrayValue(for: \.shown).append(10)
      #expect(recorder.take() == ["shown →[10] insertion [5]", "· → insertion [5]"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P49: a path receives a computed collection whole after edits of its input as well")
    func pathInTransaction() {
      list.next = list
      // It would retain itself.
      defer { list.next = nil }
      var hasEdited = false
      let token = list.observe(\.next?.shown, options: .new) { [recorder] list, change in
        recorder.receives("path")(list, change)
        if hasEdited { return }
        hasEdited = true
        withKeyValueTransaction {
          list.mutableArrayValue(for: \.tracks).insert(4, at: 0)
          list.mutableArrayValue(for: \.shown).insert(7, at: 0)
        }
      }
      list.tracks = [9]
      #expect(recorder.take() == ["path →[9]", "path →[7, 4, 9]"])
      withKeyValueTransaction { list.mutableArrayValue(for: \.shown).removeLast() }
      #expect(recorder.take() == ["path → removal [2]"])
      withExtendedLifetime(token) {}
    }

    @Test("P35: elements that a getter makes anew are compared by value, those of an edit too")
    func elementsMadeAnew() {
      let token = list.observe(\.titles, options: .new, changeHandler: recorder.receives("titles"))
      list.mutableArrayValue(for: \.titles).append("title of track 3")
      list.mutableArrayValue(for: \.titles).append("an unknown title")
      #expect(
        recorder.take() == [
          #"titles →["title of track 3"] insertion [2]"#,
          #"titles →["title of track 1", "title of track 2", "title of track 3", "title of track 0"]"#,
        ])
      withExtendedLifetime(token) {}
    }

    @Test("P35: a number that does not equal itself is the same one after an edit")
    func valuesThatDifferFromThemselves() {
      let token = list.observe(
        \.shownLevels, options: .new, changeHandler: recorder.receives("levels"))
      list.mutableArrayValue(for: \.shownLevels).append(1)
      #expect(recorder.take() == ["levels →[1.0] insertion [1]"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P15, P35: an edit calls the getter twice before it, and to make it, attach and verify it",
      arguments: [[], .new, [.old, .new]] as [KeyValueObservation.Options])
    func evaluations(options: KeyValueObservation.Options) {
      let token = list.observe(\.counted, options: options) { _, _ in }
      list.evaluationCount = 0
      list.mutableArrayValue(for: \.counted).append(0)
      #expect(list.evaluationCount == 5)
      list.mutableArrayValue(for: \.counted).append(9)
      #expect(list.evaluationCount == 10)
      withExtendedLifetime(token) {}
    }

    @Test("P35: an edit in a block of an intermediate property is one for all observers of a path")
    func blockOfIntermediate() {
      list.next = list
      // It would retain itself.
      defer { list.next = nil }
      let tokens = [KeyValueObservation.Options.new, .old, options].map {
        list.observe(\.next?.shown, options: $0, changeHandler: recorder.receives("path"))
      }
      list.withMutation(of: \.next) {
        list.mutableArrayValue(for: \.shown).insert(7, at: 0)
        #expect(
          recorder.take() == [
            "path →[7] insertion [0]", "path → insertion [0]", "path →[7] insertion [0]",
          ])
        list.mutableArrayValue(for: \.shown).removeLast()
        #expect(
          recorder.take() == [
            "path → removal [2]", "path [2]→ removal [2]", "path [2]→ removal [2]",
          ])
      }
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P25: a path that is led to the collection once more while it is edited has it")
    func pathLedAgain() {
      list.next = list
      // It would retain itself.
      defer { list.next = nil }
      var hasChanged = false
      let tokens = [
        list.observe(\.tracks) { list, _ in
          if !hasChanged { list.next = list }
          hasChanged = true
        },
        list.observe(\.next?.shown, options: options, changeHandler: recorder.receives("path")),
      ]
      list.mutableArrayValue(for: \.shown).append(3)
      #expect(recorder.take() == ["path [1, 2]→[1, 2, 3] path", "path [1, 2, 3]→[1, 2, 3]"])
      list.mutableArrayValue(for: \.shown).append(4)
      #expect(recorder.take() == ["path →[4] insertion [3]"])
      withExtendedLifetime(tokens) {}
    }
  }
}
