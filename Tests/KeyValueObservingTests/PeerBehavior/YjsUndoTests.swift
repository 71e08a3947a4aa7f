// Behaviors of Yjs, from `tests/undo-redo.tests.js`.
//
// Not ours: Yjs merges what several users change. It undoes the changes of one of them under those
// of others, and skips a value that another user has overwritten. Here a value is put back over the
// present one, and an edit that does not fit any more throws (P60). Changes have no origin; what is
// not to be undone is made in `withoutRecording`. Groups have names, but no other data. Changes
// that follow each other are groups of their own, unless the history was made with an interval
// (P61). Formatted text and XML are no part of this library.

import KeyValueObserving
import Testing

/// A part of a document, of any kind.
@KeyValueObservable
private final class Node {
  var x = 0
  var y = 0
  var text: [Character] = []
  var name: String?
  var child: Node?
  var children: [Node] = []

  convenience init(_ text: String) {
    self.init()
    self.text = Array(text)
  }

  var string: String { String(text) }
  var letters: KeyValueMutableArray<Character> { mutableArrayValue(for: \.text) }
  var parts: KeyValueMutableArray<Node> { mutableArrayValue(for: \.children) }

  func move(to x: Int, _ y: Int) {
    withKeyValueTransaction {
      self.x = x
      self.y = y
    }
  }
}

extension PeerBehavior {
  @Suite struct YjsUndo {
    private let journal = Journal()
    private let root = Node()

    private func history(coalescing: Duration? = nil) -> KeyValueHistory {
      KeyValueHistory(of: root, includingReachable: true, coalescing: coalescing)
    }

    /// The states after each undo, until there is nothing to undo.
    private func undoAll<State>(_ history: KeyValueHistory, _ state: () -> State) throws -> [State]
    {
      var states: [State] = []
      while history.canUndo {
        try history.undo()
        states.append(state())
      }
      return states
    }

    /// The states after each redo, until there is nothing to redo.
    private func redoAll<State>(_ history: KeyValueHistory, _ state: () -> State) throws -> [State]
    {
      var states: [State] = []
      while history.canRedo {
        try history.redo()
        states.append(state())
      }
      return states
    }

    // MARK: Text

    @Test("P60: insertions and removals in a text are undone and redone as edits")
    func text() throws {
      let history = history()
      root.letters.insert(contentsOf: "abc", at: 0)
      root.letters.remove(at: 0)
      #expect(try undoAll(history) { root.string } == ["abc", ""])
      #expect(try redoAll(history) { root.string } == ["abc", "bc"])
    }

    @Test("P60: what others have written around an edit stays, where the edit still fits")
    func textOfOthers() throws {
      let history = history()
      root.letters.insert(contentsOf: "abc", at: 0)
      history.withoutRecording { root.letters.append(contentsOf: "xyz") }
      try history.undo()
      #expect(root.string == "xyz")
      try history.redo()
      #expect(root.string == "abcxyz")
    }

    @Test("P60: a text that others have changed is a conflict, which changes nothing")
    func conflict() throws {
      let history = history()
      root.letters.insert(contentsOf: "abc", at: 0)
      history.withoutRecording { root.letters.insert("x", at: 0) }
      #expect(throws: KeyValueHistoryError.conflict) { try history.undo() }
      #expect(root.string == "xabc")
      history.withoutRecording { root.letters.removeFirst(1) }
      try history.undo()
      #expect(root.string == "")
    }

    @Test("P60: two insertions are undone one by one, and another one follows them")
    func doubleUndo() throws {
      root.text = Array("1221")
      let history = history()
      root.letters.insert("3", at: 2)
      root.letters.insert("3", at: 3)
      #expect(try undoAll(history) { root.string } == ["12321", "1221"])
      root.letters.insert("3", at: 2)
      #expect(root.string == "12321")
      #expect(!history.canRedo)
    }

    // MARK: Values

    @Test("P59, P60: an object that was assigned and then changed comes back with its values")
    func assignedObject() throws {
      let history = history()
      root.name = "before"
      withKeyValueTransaction {
        root.child = Node()
        root.child?.x = 42
      }
      try history.undo()
      #expect(root.child == nil)
      #expect(root.name == "before")
      try history.redo()
      #expect(root.child?.x == 42)
    }

    @Test("P60: a value is put back over one that was set without recording")
    func overwrittenValue() throws {
      let history = history()
      root.x = 1
      history.withoutRecording { root.x = 44 }
      try history.undo()
      #expect(root.x == 0)
      try history.redo()
      #expect(root.x == 44)
    }

    @Test("P61: values that are set one after the other are one group, until the group ends")
    func captured() throws {
      let history = history(coalescing: .seconds(60))
      root.name = "initial"
      history.endCoalescing()
      root.name = "first"
      root.name = "second"
      history.endCoalescing()
      #expect(try undoAll(history) { root.name } == ["initial", nil])
      #expect(try redoAll(history) { root.name } == ["initial", "second"])
    }

    @Test("P60: a value that is removed and set again and again is found at each step")
    func removedValues() throws {
      let history = history()
      let names: [String?] = ["a", nil, "b", nil, "c", nil, "d"]
      for name in names { root.name = name }
      #expect(try undoAll(history) { root.name } == [nil, "c", nil, "b", nil, "a", nil])
      #expect(try redoAll(history) { root.name } == names)
    }

    // MARK: Nested objects

    @Test("P58, P60: what was changed in an element is redone after its insertion")
    func nestedElements() throws {
      let history = history()
      root.parts.append(Node())
      root.children.first?.x = 1
      func state() -> [Int] { root.children.map(\.x) }
      #expect(try undoAll(history, state) == [[0], []])
      #expect(try redoAll(history, state) == [[0], [1]])
      history.withoutRecording { root.children.first?.y = 2 }
      #expect(try undoAll(history, state) == [[0], []])
      #expect(try redoAll(history, state) == [[0], [1]])
      #expect(root.children.first?.y == 2)
    }

    @Test("P58, P59: groups of two properties are redone to the last, with the object itself")
    func consecutiveRedo() throws {
      let history = history()
      root.child = Node()
      for value in [100, 200, 300] { root.child?.move(to: value, value + 1) }
      func state() -> [Int]? { root.child.map { [$0.x, $0.y] } }
      #expect(try undoAll(history, state) == [[200, 201], [100, 101], [0, 0], nil])
      #expect(try redoAll(history, state) == [[0, 0], [100, 101], [200, 201], [300, 301]])
    }

    @Test("P58, P59: objects that replaced each other come back in the reverse order")
    func replacedObjects() throws {
      let history = history()
      withKeyValueTransaction {
        root.child = Node("text")
        root.child?.child = Node("1")
      }
      for number in 2...4 { root.child?.child = Node("\(number)") }
      func state() -> String? { root.child?.child?.string }
      #expect(try undoAll(history, state) == ["3", "2", "1", nil])
      #expect(root.child == nil)
      #expect(try redoAll(history, state) == ["1", "2", "3", "4"])
    }

    @Test("P58, P59: an element that is changed and removed in one group has its former values")
    func changedAndRemoved() throws {
      let element = Node("Click me")
      element.x = 1
      root.children = [element]
      let history = history()
      withKeyValueTransaction {
        element.x = 3
        element.letters.removeAll()
        root.parts.remove(at: 0)
      }
      try history.undo()
      #expect(root.children.first === element)
      #expect((element.x, element.string) == (1, "Click me"))
      try history.redo()
      #expect(root.children.isEmpty)
      #expect((element.x, element.string) == (3, ""))
    }

    @Test("P58, P60: a nested text that was replaced in a group is undone before its insertion")
    func nestedText() throws {
      let history = history()
      root.child = Node("initial text")
      withKeyValueTransaction {
        root.child?.letters.removeAll()
        root.child?.letters.append(contentsOf: "other text")
      }
      #expect(try undoAll(history) { root.child?.string } == ["initial text", nil])
      #expect(try redoAll(history) { root.child?.string } == ["initial text", "other text"])
    }

    // MARK: What is recorded

    @Test("P58: a history records its own objects, and others those of theirs")
    func scope() throws {
      let (first, second) = (Node("1"), Node("2"))
      root.children = [first, second]
      let ofFirst = KeyValueHistory(of: first)
      let ofBoth = KeyValueHistory(of: first)
      ofBoth.record(second)
      second.letters.append("b")
      #expect(!ofFirst.canUndo)
      try ofFirst.undo()
      #expect(second.string == "2b")
      try ofBoth.undo()
      #expect(second.string == "2")
    }

    @Test("P58: each of two histories undoes what the other one does not record")
    func twoUsers() throws {
      let (one, other) = (history(), history())
      func byOne(_ change: () -> Void) { other.withoutRecording(change) }
      func byOther(_ change: () -> Void) { one.withoutRecording(change) }
      let (first, second) = (Node(), Node())
      byOne { root.children = [first, second] }
      byOne { second.name = "modified" }
      byOne { first.name = "modified" }
      byOther { root.parts.remove(at: 0) }
      byOther { try? other.undo() }
      #expect(root.children.count == 2)
      byOne { try? one.undo() }
      #expect(first.name == nil)
      byOne { try? one.undo() }
      #expect(second.name == nil)
      #expect(!other.canUndo)
      #expect(one.canUndo)
    }

    @Test("P58, P61: a group keeps its name through undo and redo, and observers receive it")
    func names() throws {
      let history = history()
      journal.follow(history, \.undoName)
      journal.follow(history, \.redoName)
      withKeyValueTransaction {
        root.x = 1
        history.setGroupName("Move")
      }
      try history.undo()
      try history.redo()
      #expect(
        journal.take() == [
          "undoName nil→Move", "undoName Move→nil", "redoName nil→Move", "undoName nil→Move",
          "redoName Move→nil",
        ])
    }

    @Test("P59: observers find all values back, of an undo as of a redo")
    func observing() throws {
      let history = history()
      root.child = Node()
      root.child?.move(to: 1, 2)
      root.child?.observe(\.x) { node, _ in journal.write("\(node.x) \(node.y)") }
        .store(in: &journal.tokens)
      try history.undo()
      try history.redo()
      #expect(journal.take() == ["0 0", "1 2"])
    }
  }
}
