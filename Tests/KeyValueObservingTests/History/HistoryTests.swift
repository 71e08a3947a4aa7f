import KeyValueObserving
import Synchronization
import Testing

@KeyValueObservable
private final class Sheet {
  var title = "a"
  var size = 0
  var tags: [String] = []
  var marks: Set<Int> = []
  var parts: [Sheet] = []
  var first: Sheet?
  weak var owner: Sheet?
  var isBold = false {
    didSet { size += 1 }
  }
  var area: Int { size * 10 }
}

@Suite struct Histories {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P58: a set is a group, and so is a transaction")
  func groups() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    sheet.title = "b"
    withKeyValueTransaction {
      sheet.title = "c"
      sheet.size = 5
      sheet.title = "d"
    }
    try history.undo()
    #expect(sheet.title == "b")
    #expect(sheet.size == 0)
    try history.undo()
    #expect(sheet.title == "a")
    #expect(!history.canUndo)
    try history.redo()
    try history.redo()
    #expect(sheet.title == "d")
    #expect(sheet.size == 5)
    #expect(!history.canRedo)
  }

  @Test("P58: what observers and `didSet` set while a change is delivered belongs to its group")
  func consequences() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    let tokens = [
      sheet.onChange(of: \.title) { [unowned sheet] title in sheet.tags.append(title) },
      sheet.onChange(of: \.area) { [unowned sheet] area in sheet.marks.insert(area) },
    ]
    sheet.title = "b"
    sheet.isBold = true
    #expect(sheet.size == 1)
    #expect(sheet.marks == [10])
    try history.undo()
    #expect(!sheet.isBold)
    #expect(sheet.size == 0)
    #expect(sheet.title == "b")
    try history.undo()
    #expect(sheet.title == "a")
    #expect(!history.canUndo)
    withExtendedLifetime(tokens) {}
  }

  @Test("P58: what is rolled back is not recorded, nor what is made without recording")
  func leftOut() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    try? withKeyValueTransaction {
      sheet.title = "b"
      throw CancellationError()
    }
    history.withoutRecording { sheet.size = 1 }
    withKeyValueTransaction {
      history.withoutRecording { sheet.size = 2 }
    }
    #expect(!history.canUndo)
    sheet.size = 3
    try history.undo()
    #expect(sheet.size == 2)
  }

  @Test(
    "P58: with `includingReachable`, what an object refers to is recorded, also what it comes to")
  func reachable() throws {
    let (sheet, part, later) = (Sheet(), Sheet(), Sheet())
    sheet.parts = [part]
    let history = KeyValueHistory(of: sheet, includingReachable: true)
    part.title = "b"
    part.first = later
    later.title = "c"
    try history.undo()
    #expect(later.title == "a")
    try history.undo()
    #expect(part.first == nil)
    try history.undo()
    #expect(part.title == "a")
    for _ in 0..<3 { try history.redo() }
    #expect(part.title == "b")
    #expect(part.first === later)
    #expect(later.title == "c")
  }

  @Test(
    "P59: observers are notified of an undo when all values are back, and redo takes back what they set"
  )
  func delivery() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    withKeyValueTransaction {
      sheet.title = "b"
      sheet.size = 7
    }
    let tokens = [
      sheet.observe(\.title, options: options) { sheet, change in
        recorder.write("\(change.oldValue!)→\(change.newValue!) size \(sheet.size)")
        sheet.tags.append(change.newValue!)
      },
      sheet.observe(\.area, options: options, changeHandler: recorder.receives("area")),
    ]
    try history.undo()
    #expect(recorder.take() == ["b→a size 0", "area 70→0"])
    #expect(sheet.tags == ["a"])
    try history.redo()
    #expect(recorder.take() == ["a→b size 7", "area 0→70"])
    #expect(sheet.size == 7)
    withExtendedLifetime(tokens) {}
  }

  @Test("P59: another change clears the redo stack")
  func redoIsCleared() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    sheet.title = "b"
    try history.undo()
    #expect(history.canRedo)
    sheet.size = 1
    #expect(!history.canRedo)
    try history.redo()
    #expect(sheet.title == "a")
  }

  @Test("P60: changed objects are held weakly, and one that is gone is left out")
  func gone() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    weak var former: Sheet?
    do {
      let part = Sheet()
      former = part
      history.record(part)
      withKeyValueTransaction {
        part.title = "b"
        sheet.title = "c"
      }
    }
    #expect(former == nil)
    try history.undo()
    #expect(sheet.title == "a")
    // A value is held, and so is an object in it.
    do {
      let part = Sheet()
      former = part
      sheet.first = part
    }
    sheet.first = nil
    #expect(former != nil)
    try history.undo()
    #expect(sheet.first === former)
  }

  @Test("P61: changes of one key within the interval are one group, until something separates them")
  func coalescing() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet, coalescing: .seconds(60))
    sheet.title = "b"
    sheet.title = "c"
    history.endCoalescing()
    sheet.title = "d"
    sheet.title = "e"
    sheet.size = 1
    sheet.title = "f"
    history.setGroupName("Rename")
    sheet.title = "g"
    var titles: [String] = []
    while history.canUndo {
      try history.undo()
      titles.append("\(sheet.title)\(sheet.size)")
    }
    #expect(titles == ["f1", "e1", "e0", "c0", "a0"])
  }

  @Test("P61: the limit drops the oldest group", arguments: [(2, 3), (1, 4), (0, 5), (-1, 5)])
  func limit(_ limit: Int, firstSize: Int) throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet, limit: limit)
    for size in 1...5 { sheet.size = size }
    while history.canUndo { try history.undo() }
    #expect(sheet.size == firstSize)
  }

  @Test("P61: `canUndo` and the names notify when a group is complete")
  func keys() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    let tokens = [
      history.observe(\.canUndo, options: options, changeHandler: recorder.receives("canUndo")),
      history.observe(\.undoName, options: options, changeHandler: recorder.receives("undoName")),
      history.observe(\.redoName, options: options, changeHandler: recorder.receives("redoName")),
      sheet.observe(\.title, options: options, changeHandler: recorder.receives("title")),
    ]
    withKeyValueTransaction {
      sheet.title = "b"
      history.setGroupName("Rename")
    }
    #expect(recorder.take() == ["title a→b", "canUndo false→true", "undoName nil→Rename"])
    try history.undo()
    #expect(
      recorder.take() == [
        "title b→a", "canUndo true→false", "undoName Rename→nil", "redoName nil→Rename",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("P24, P61: an observer of one key of a history reads the new values of all")
  func keysTogether() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    let token = history.onChange(of: \.canUndo) { [recorder, unowned history] canUndo in
      let (undo, redo) = (history.undoName ?? "-", history.redoName ?? "-")
      recorder.write("\(canUndo) \(undo), \(history.canRedo) \(redo)")
    }
    withKeyValueTransaction {
      sheet.title = "b"
      history.setGroupName("Rename")
    }
    #expect(recorder.take() == ["true Rename, false -"])
    try history.undo()
    #expect(recorder.take() == ["false -, true Rename"])
    sheet.size = 7
    #expect(recorder.take() == ["true -, false -"])
    token.invalidate()
  }

  @Test("P61, P62: an observer of prior notifications of canUndo discards or undoes the group")
  func changesInPriorHandler() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    var respond: ((KeyValueHistory) throws -> Void)?
    let token = history.observe(\.canUndo, options: [.prior, .new]) { history, change in
      let response = exchange(&respond, with: nil)
      #expect(throws: Never.self) { try response?(history) }
    }
    respond = { $0.removeAll() }
    sheet.title = "b"
    #expect(!history.canUndo && !history.canRedo)
    respond = { try $0.undo() }
    sheet.title = "c"
    #expect(sheet.title == "b" && !history.canUndo && history.canRedo)
    try history.redo()
    #expect(sheet.title == "c" && history.canUndo && !history.canRedo)
    token.invalidate()
  }

  @Test(
    "P62: undo throws in a transaction and in a delivery that is recorded, and is nothing without a group"
  )
  func misuse() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    try history.undo()
    sheet.size = 1
    withKeyValueTransaction {
      #expect(throws: KeyValueHistoryError.recording) { try history.undo() }
    }
    let token = sheet.onChange(of: \.title) { _ in
      #expect(throws: KeyValueHistoryError.recording) { try history.undo() }
    }
    sheet.title = "b"
    try history.undo()
    #expect(sheet.title == "a")
    #expect(sheet.size == 1)
    token.invalidate()
    let emptying = sheet.onChange(of: \.size) { _ in history.removeAll() }
    try history.undo()
    #expect(sheet.size == 0)
    #expect(!history.canUndo && !history.canRedo)
    emptying.invalidate()
    sheet.size = 2
    try history.undo()
    #expect(sheet.size == 0)
  }

  @Test("P62: undo throws in a callback that comes behind the history's own")
  func undoBehindHistory() throws {
    let sheet = Sheet()
    let history = KeyValueHistory(of: sheet)
    sheet.size = 1
    let token = sheet.onChange(of: \.title) { _ in
      #expect(throws: KeyValueHistoryError.recording) { try history.undo() }
    }
    history.withoutRecording { sheet.title = "b" }
    try history.undo()
    #expect(sheet.size == 0 && sheet.title == "b")
    withExtendedLifetime(token) {}
  }

  @Test("P59, P62: undo and redo work in a callback of an object that is not recorded")
  func undoInOtherCallback() throws {
    let (sheet, button) = (Sheet(), Sheet())
    let history = KeyValueHistory(of: sheet)
    sheet.size = 1
    sheet.size = 2
    let token = button.onChange(of: \.title) { _ in
      #expect(throws: Never.self) {
        try history.undo()
        #expect(history.canRedo)
        try history.undo()
        try history.redo()
      }
      #expect(sheet.size == 1)
      history.withoutRecording { sheet.title = "c" }
      sheet.size = 5
    }
    button.title = "b"
    #expect(!history.canRedo)
    try history.undo()
    #expect(sheet.size == 1 && sheet.title == "c")
    withExtendedLifetime(token) {}
  }

  @Test("P62: a history may be released while it records, and objects before it")
  func lifetime() {
    let sheet = Sheet()
    var history: KeyValueHistory? = KeyValueHistory(of: sheet)
    let token = sheet.onChange(of: \.title) { _ in history = nil }
    sheet.title = "b"
    #expect(history == nil)
    token.invalidate()
    sheet.title = "c"
    var short: Sheet? = Sheet()
    let other = KeyValueHistory(of: short!)
    short!.title = "b"
    short = nil
    #expect(throws: Never.self) { try other.undo() }
  }
}
