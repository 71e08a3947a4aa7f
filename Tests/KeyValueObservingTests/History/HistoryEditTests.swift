import KeyValueObserving
import Testing

@KeyValueObservable
private final class Sheet {
  var title = "a"
  var tags: [String] = []
  var marks: Set<Int> = []
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
