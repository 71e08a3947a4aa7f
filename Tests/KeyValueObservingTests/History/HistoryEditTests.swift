import KeyValueObserving
import Testing

@KeyValueObservable
private final class Sheet {
  var title = "a"
  var tags: [String] = []
  var marks: Set<Int> = []
  var notes: [String]?
  var states: Set<Int>?
  var names: Set<String> = []
  var members: Set<Member> = [Member(number: 1, text: "a"), Member(number: 2, text: "b")]
}

private struct Member: Hashable {
  let number: Int
  let text: String

  static func == (left: Member, right: Member) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Edits of collections, which a history takes back as edits.
@Suite struct HistoryEdits {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P60: edits are taken back as edits, of arrays and of sets")
  func edits() throws {
    let sheet = Sheet()
    sheet.tags = ["a", "b", "c"]
    sheet.marks = [1, 2]
    let history = KeyValueHistory(of: sheet)
    sheet.mutableArrayValue(for: \.tags).insert("x", at: 1)
    sheet.mutableArrayValue(for: \.tags).remove(at: 0)
    sheet.mutableArrayValue(for: \.tags)[0] = "y"
    sheet.mutableSetValue(for: \.marks).insert(3)
    let tokens = [
      sheet.observe(\.tags, options: options, changeHandler: recorder.receives("tags")),
      sheet.observe(\.marks, options: options, changeHandler: recorder.receives("marks")),
    ]
    for _ in 0..<4 { try history.undo() }
    #expect(sheet.tags == ["a", "b", "c"])
    #expect(sheet.marks == [1, 2])
    #expect(
      recorder.take() == [
        "marks [3]→ removal", #"tags ["y"]→["x"] replacement [0]"#, #"tags →["a"] insertion [0]"#,
        #"tags ["x"]→ removal [1]"#,
      ])
    for _ in 0..<4 { try history.redo() }
    #expect(sheet.tags == ["y", "b", "c"])
    #expect(sheet.marks == [1, 2, 3])
    withExtendedLifetime(tokens) {}
  }

  @Test("P59, P60: a member that has taken the place of an equal one is taken back, and made again")
  func updates() throws {
    let sheet = Sheet()
    sheet.marks = [1, 2]
    let history = KeyValueHistory(of: sheet)
    sheet.mutableSetValue(for: \.marks).update(with: 2)
    sheet.mutableSetValue(for: \.marks).update(with: 3)
    for _ in 0..<2 { try history.undo() }
    #expect(sheet.marks == [1, 2] && !history.canUndo)
    for _ in 0..<2 { try history.redo() }
    #expect(sheet.marks == [1, 2, 3] && !history.canRedo)
  }

  @Test("P59, P60: so is each of the members that are equal by their numbers only")
  func updatesOfEqualMembers() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    func texts() -> [String] { sheet.members.map(\.text).sorted() }
    let members = sheet.mutableSetValue(for: \.members)
    members.update(with: Member(number: 2, text: "b2"))
    members.update(with: Member(number: 2, text: "b3"))
    for _ in 0..<2 {
      for expected in ["b2", "b"] {
        try history.undo()
        #expect(texts() == ["a", expected])
      }
      for expected in ["b2", "b3"] {
        try history.redo()
        #expect(texts() == ["a", expected])
      }
    }
  }

  @Test("P49, P59: so is each that a transaction has exchanged, of which no observer is notified")
  func exchangesInTransactions() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    func texts() -> [String] { sheet.members.map(\.text).sorted() }
    let members = sheet.mutableSetValue(for: \.members)
    let token = sheet.observe(\.members) { [recorder] _, change in
      recorder.write("\(change.kind)")
    }
    withKeyValueTransaction { members.update(with: Member(number: 2, text: "b2")) }
    withKeyValueTransaction {
      members.update(with: Member(number: 2, text: "b3"))
      members.insert(Member(number: 3, text: "c"))
    }
    withKeyValueTransaction {
      members.remove(Member(number: 1, text: "a"))
      members.insert(Member(number: 1, text: "a2"))
    }
    try? withKeyValueTransaction {
      members.update(with: Member(number: 1, text: "a3"))
      throw Refused()
    }
    #expect(recorder.take() == ["insertion"])
    for _ in 0..<2 {
      for expected in [["a", "b3", "c"], ["a", "b2"], ["a", "b"]] {
        try history.undo()
        #expect(texts() == expected)
      }
      #expect(!history.canUndo)
      for expected in [["a", "b2"], ["a", "b3", "c"], ["a2", "b3", "c"]] {
        try history.redo()
        #expect(texts() == expected)
      }
      #expect(!history.canRedo)
      #expect(recorder.take() == ["removal", "insertion"])
    }
    withExtendedLifetime(token) {}
  }

  @Test("P49, P59: a member that is removed and inserted again is not recorded")
  func sameMember() {
    let sheet = Sheet()
    sheet.marks = [1, 2]
    let history = KeyValueHistory(of: sheet)
    withKeyValueTransaction {
      sheet.mutableSetValue(for: \.marks).remove(1)
      sheet.mutableSetValue(for: \.marks).insert(1)
    }
    #expect(!history.canUndo)
  }

  @Test("P49, P59: nor is a text that makes way for an equal one, which is stored elsewhere")
  func equalText() {
    let sheet = Sheet()
    func text() -> String { String(repeating: "a", count: 40) }
    sheet.names = [text()]
    let history = KeyValueHistory(of: sheet)
    withKeyValueTransaction {
      sheet.mutableSetValue(for: \.names).remove(text())
      sheet.mutableSetValue(for: \.names).insert(text())
    }
    #expect(!history.canUndo)
  }

  @Test("P35, P59: undoing the first insertion into a property that is nil leaves nil")
  func firstInsertion() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet, coalescing: .seconds(3600))
    let notes = try sheet.mutableArrayValue(forKey: "notes")
    notes.append("a")
    notes.append("b")
    let token = sheet.observe(\.notes, options: options, changeHandler: recorder.receives("notes"))
    try history.undo()
    #expect(sheet.notes == nil)
    try history.redo()
    #expect(sheet.notes == ["a", "b"])
    #expect(recorder.take() == [#"notes ["a", "b"]→nil"#, #"notes nil→["a", "b"]"#])
    history.endCoalescing()
    try sheet.mutableSetValue(forKey: "states").insert(1)
    try history.undo()
    #expect(sheet.states == nil)
    sheet.notes = []
    history.endCoalescing()
    notes.append("c")
    try history.undo()
    #expect(sheet.notes == [])
    withExtendedLifetime(token) {}
  }

  @Test("P35, P59: and if a prior handler has inserted in a transaction that was rolled back")
  func firstInsertionAfterRollback() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    let notes = try sheet.mutableArrayValue(forKey: "notes")
    let token = sheet.observe(\.marks, options: .prior) { _, _ in notes.append("a") }
    try? withKeyValueTransaction {
      sheet.mutableSetValue(for: \.marks).insert(1)
      throw Refused()
    }
    #expect(sheet.notes == ["a"])
    try history.undo()
    #expect(sheet.notes == nil)
    withExtendedLifetime(token) {}
  }

  @Test(
    "P19, P59: the same for an insertion that is a pair of notifications, which is recorded only if it begins so"
  )
  func firstInsertionAsPair() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    func insert() {
      sheet.willChange(.insertion, valuesAt: RangeSet(0..<1), forKey: "notes")
      history.withoutRecording { sheet.notes = ["a"] }
      sheet.didChange(.insertion, valuesAt: RangeSet(0..<1), forKey: "notes")
    }
    insert()
    try history.undo()
    #expect(sheet.notes == nil)
    history.removeAll()
    history.withoutRecording { insert() }
    #expect(!history.canUndo)
  }

  @Test("P60: an insertion is taken back as an edit, if a prior handler has set what was nil")
  func insertionAfterPrior() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    let token = sheet.observe(\.notes, options: .prior) { sheet, change in
      if change.isPrior, sheet.notes == nil {
        history.withoutRecording { sheet.notes = ["x"] }
      }
    }
    try sheet.mutableArrayValue(forKey: "notes").append("a")
    #expect(sheet.notes == ["x", "a"])
    try history.undo()
    #expect(sheet.notes == ["x"])
    withExtendedLifetime(token) {}
  }

  @Test("P60: an edit that does not fit makes undo throw, and nothing is changed")
  func conflict() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    withKeyValueTransaction {
      sheet.title = "b"
      sheet.mutableArrayValue(for: \.tags).append("x")
    }
    history.withoutRecording { sheet.tags = [] }
    #expect(throws: KeyValueHistoryError.conflict) { try history.undo() }
    #expect(sheet.title == "b")
    #expect(history.canUndo)
    history.withoutRecording { sheet.tags = ["x"] }
    try history.undo()
    #expect(sheet.title == "a")
    #expect(sheet.tags == [])
  }

  @Test("P49, P59: edits that cancel out are undone and redone, though no observer is notified")
  func vainEdits() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet, coalescing: .seconds(3600))
    sheet.title = "b"
    let tags = sheet.mutableArrayValue(for: \.tags)
    tags.append("x")
    tags.removeLast()
    history.setGroupName("Nothing")
    for _ in 0..<2 {
      try history.undo()
      #expect(history.canUndo)
      #expect(history.redoName == "Nothing")
      try history.redo()
      #expect(!history.canRedo)
      #expect(history.undoName == "Nothing")
    }
    try history.undo()
    try history.undo()
    #expect(sheet.title == "a")
    #expect(!history.canUndo)
  }

  @Test("P49, P60: an edit that a prior handler makes while another is taken back is overwritten")
  func editInPriorOfUndo() throws {
    let sheet = Sheet()
    sheet.tags = ["a"]
    let history = KeyValueHistory(of: sheet)
    let tags = sheet.mutableArrayValue(for: \.tags)
    tags.append("b")
    var isFirst = true
    var copy = sheet.tags
    let tokens = [
      sheet.observe(\.tags, options: .prior) { _, change in
        guard change.isPrior, isFirst else { return }
        isFirst = false
        tags.insert("c", at: 1)
      },
      sheet.observeElements(of: \.tags) { _, change in
        copy = copy.applying(change.difference) ?? []
      },
      sheet.observe(\.tags, options: options, changeHandler: recorder.receives("tags")),
    ]
    try history.undo()
    #expect(sheet.tags == ["a"])
    #expect(copy == ["a"])
    #expect(recorder.take() == [#"tags ["a", "b"]→["a"]"#])
    try history.redo()
    #expect(sheet.tags == ["a", "b"])
    #expect(copy == ["a", "b"])
    withExtendedLifetime(tokens) {}
  }
  @Test("P59: the redo of edits that cancel out has the name that a callback gives it")
  func namedInCallback() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet, coalescing: .seconds(3600))
    let tags = sheet.mutableArrayValue(for: \.tags)
    tags.append("x")
    tags.removeLast()
    let token = sheet.observe(\.tags, options: [.prior]) { _, _ in history.setGroupName("Named") }
    try history.undo()
    #expect(history.redoName == "Named")
    #expect(!history.canUndo)
    withExtendedLifetime(token) {}
  }
}
