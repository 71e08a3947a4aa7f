import KeyValueObserving
import Testing

@KeyValueObservable
private final class Page {
  var size = 0
  var tags: [String] = []
  var count = 0
  var weight = 0
  var marks: Set<Mark> = [Mark(number: 1, text: "a"), Mark(number: 2, text: "b")]
  var total: Int { count + weight }

  static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    !["count", "weight", "marks"].contains(key)
  }
}

private struct Mark: Hashable {
  let number: Int
  let text: String

  static func == (left: Mark, right: Mark) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@KeyValueObservable
private final class Book {
  var page: Page?
}

/// Which pairs of manual notifications a history records, decided where each begins.
@Suite struct PairRecordingTests {
  @Test("P58: a pair of manual notifications in a transaction is left out where it begins")
  func pairInTransaction() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    withKeyValueTransaction {
      history.withoutRecording {
        page.willChangeValue(for: \.size)
        page.size = 1
        page.didChangeValue(for: \.size)
      }
    }
    #expect(!history.canUndo)
    withKeyValueTransaction {
      page.willChangeValue(for: \.size)
      page.size = 2
      page.didChangeValue(for: \.size)
    }
    try history.undo()
    #expect(page.size == 1)
  }

  @Test("P62: there is no undo in a prior notification with which a pair begins")
  func undoInPrior() {
    let page = Page()
    let history = KeyValueHistory(of: page)
    page.size = 1
    var count = 0
    let token = page.observe(\.size, options: .prior) { [unowned history] _, change in
      if !change.isPrior { return }
      count += 1
      #expect(throws: KeyValueHistoryError.recording) { try history.undo() }
    }
    page.willChangeValue(for: \.size)
    page.didChangeValue(for: \.size)
    #expect(count == 1)
    #expect(page.size == 1)
    withExtendedLifetime(token) {}
  }

  @Test("P55, P58: a pair that ends after its transaction or outside of the closure is left out")
  func pairAcross() {
    let page = Page()
    let history = KeyValueHistory(of: page)
    withKeyValueTransaction {
      history.withoutRecording { page.willChangeValue(for: \.size) }
    }
    page.didChangeValue(for: \.size)
    #expect(!history.canUndo)
    try? withKeyValueTransaction {
      history.withoutRecording { page.willChangeValue(for: \.size) }
      throw CancellationError()
    }
    page.didChangeValue(for: \.size)
    #expect(!history.canUndo)
    page.willChangeValue(for: \.size)
    history.withoutRecording { page.didChangeValue(for: \.size) }
    #expect(history.canUndo)
  }

  @Test("P55, P58: so is one that is open while its transaction delivers another change of the key")
  func pairAroundAnotherChange() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    withKeyValueTransaction {
      history.withoutRecording { page.willChangeValue(for: \.count) }
      page.withMutation(of: \.count) { page.count = 1 }
    }
    page.count = 2
    history.removeAll()
    page.didChangeValue(for: \.count)
    #expect(!history.canUndo)
  }

  @Test("P19, P58: a pair that is never completed does not keep the history that leaves it out")
  func pairWithoutEnd() {
    let page = Page()
    var history: KeyValueHistory? = KeyValueHistory(of: page)
    weak let reference = history
    history?.withoutRecording { page.willChangeValue(for: \.size) }
    history = nil
    #expect(reference == nil)
  }

  @Test("P58: nor is a pair recorded that a callback posts without recording")
  func pairDeliveredLater() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    var isFirst = true
    let token = page.onChange(of: \.tags) { [unowned page] _ in
      guard isFirst else { return }
      isFirst = false
      history.withoutRecording {
        page.willChangeValue(for: \.tags)
        page.tags.append("y")
        page.didChangeValue(for: \.tags)
      }
    }
    page.mutableArrayValue(for: \.tags).insert("x", at: 0)
    #expect(page.tags == ["x", "y"])
    try history.undo()
    #expect(page.tags == ["y"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P11, P58, P64: what a binding writes because of a pair that waits is recorded as that begins",
    arguments: [false, true], [false, true])
  func boundPairDeliveredLater(isRecorded: Bool, isAlongPath: Bool) {
    let (page, copy, book) = (Page(), Page(), Book())
    book.page = page
    let history = KeyValueHistory(of: copy)
    let binding =
      isAlongPath
      ? book.bind(\.page!.total, to: copy, \.size, .oneWay)
      : page.bind(\.total, to: copy, \.size, .oneWay)
    var isFirst = true
    let token = page.onChange(of: \.total) { [unowned page] _ in
      guard isFirst else { return }
      isFirst = false
      func half(isRecorded: Bool, _ body: () -> Void) {
        if isRecorded { body() } else { history.withoutRecording(body) }
      }
      half(isRecorded: isRecorded) { page.willChangeValue(for: \.weight) }
      page.weight = 10
      half(isRecorded: !isRecorded) { page.didChangeValue(for: \.weight) }
    }
    history.withoutRecording { page.willChangeValue(for: \.count) }
    page.count = 1
    page.didChangeValue(for: \.count)
    #expect(copy.size == 11)
    #expect(history.canUndo == isRecorded)
    withExtendedLifetime((binding, token, book)) {}
  }

  @Test(
    "P52, P58: whether it records is decided with the first pair that is not rolled back",
    arguments: [false, true], [false, true])
  func pairBehindNestedRollback(isFirstRecorded: Bool, isPairFirst: Bool) throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    func set(to count: Int, recorded isRecorded: Bool, inPair isPair: Bool) {
      let change = {
        if isPair {
          page.willChangeValue(for: \.count)
          page.count = count
          page.didChangeValue(for: \.count)
        } else {
          page.withMutation(of: \.count) { page.count = count }
        }
      }
      if isRecorded { change() } else { history.withoutRecording(change) }
    }
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        set(to: 1, recorded: isFirstRecorded, inPair: true)
        throw Refused()
      }
      set(to: 2, recorded: !isFirstRecorded, inPair: isPairFirst)
      set(to: 3, recorded: isFirstRecorded, inPair: true)
    }
    #expect(page.count == 3)
    #expect(history.canUndo == !isFirstRecorded)
    try history.undo()
    #expect(page.count == (isFirstRecorded ? 3 : 0))
  }

  @Test(
    "P19, P59: a pair is recorded that sets equal members, in a transaction or not",
    arguments: [false, true])
  func exchangeInPair(isInTransaction: Bool) throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let recorder = Recorder()
    let token = page.observe(\.marks, options: [.old, .new]) { _, change in
      recorder.write("\(change.oldValue?.map(\.text) ?? [])→\(change.newValue?.map(\.text) ?? [])")
    }
    func texts() -> [String] { page.marks.map(\.text).sorted() }
    func set(_ marks: Set<Mark>) {
      let change = {
        page.willChangeValue(for: \.marks, withSetMutation: .set, using: marks)
        page.marks = marks
        page.didChangeValue(for: \.marks, withSetMutation: .set, using: marks)
      }
      if isInTransaction { withKeyValueTransaction(change) } else { change() }
    }
    set([Mark(number: 1, text: "a2"), Mark(number: 2, text: "b")])
    set([Mark(number: 2, text: "b2"), Mark(number: 3, text: "c")])
    // Observers are notified of members that have really come and gone.
    #expect(recorder.take() == (isInTransaction ? [] : ["[]→[]"]) + [#"["a2"]→["c"]"#])
    for _ in 0..<2 {
      for expected in [["a2", "b"], ["a", "b"]] {
        try history.undo()
        #expect(texts() == expected)
      }
      #expect(!history.canUndo)
      for expected in [["a2", "b"], ["b2", "c"]] {
        try history.redo()
        #expect(texts() == expected)
      }
    }
    withExtendedLifetime(token) {}
  }

  @Test("P19, P59: but for members that the setter has kept, though the pair names equal ones")
  func keptMembersInPair() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let marks: Set = [Mark(number: 1, text: "a2"), Mark(number: 3, text: "c")]
    page.willChangeValue(for: \.marks, withSetMutation: .set, using: marks)
    page.marks = page.marks.filter { marks.contains($0) }.union(marks)
    page.didChangeValue(for: \.marks, withSetMutation: .set, using: marks)
    #expect(page.marks.map(\.text).sorted() == ["a", "c"])
    try history.undo()
    #expect(page.marks.map(\.text).sorted() == ["a", "b"])
    try history.redo()
    #expect(page.marks.map(\.text).sorted() == ["a", "c"])
  }

  @Test("P19, P58: pairs and sets of a property inside of a pair of it belong to its group")
  func nestedPairs() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    page.size = 1
    page.willChangeValue(for: \.size)
    page.size = 2
    page.willChangeValue(for: \.size)
    page.size = 3
    page.didChangeValue(for: \.size)
    page.willChangeValue(for: \.size)
    page.didChangeValue(for: \.size)
    page.didChangeValue(for: \.size)
    for _ in 0..<2 {
      try history.undo()
      #expect(page.size == 1 && history.canUndo && history.canRedo)
      try history.undo()
      #expect(page.size == 0 && !history.canUndo)
      try history.redo()
      try history.redo()
      #expect(page.size == 3 && !history.canRedo)
    }
  }

  @Test("P19, P58: groups of other keys, named ones, and those from before the pair stay")
  func groupsBesidePair() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    page.willChangeValue(for: \.count)
    page.count = 1
    page.willChangeValue(for: \.count)
    page.count = 2
    page.didChangeValue(for: \.count)
    page.size = 1
    page.didChangeValue(for: \.count)
    for (count, size) in [(0, 1), (0, 0), (1, 0)] {
      try history.undo()
      #expect(page.count == count && page.size == size)
    }
    #expect(!history.canUndo)
    page.willChangeValue(for: \.size)
    page.size = 5
    history.setGroupName("Five")
    page.didChangeValue(for: \.size)
    #expect(history.undoName == nil)
    try history.undo()
    #expect(history.undoName == "Five")
  }

  @Test("P19, P58: a pair takes in what its delivery has changed, and what changed inside of it")
  func changesInsidePair() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let token = page.onChange(of: \.size) { [unowned page] in page.tags.append("\($0)") }
    page.willChangeValue(for: \.size)
    page.size = 1
    page.didChangeValue(for: \.size)
    #expect(page.tags == ["1", "1"])
    token.invalidate()
    try history.undo()
    #expect(page.size == 0 && page.tags == [] && !history.canUndo)
    try history.redo()
    #expect(page.size == 1 && page.tags == ["1", "1"])
  }
}
