import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private final class Page {
  var title = "a"
  var size = 0
  var tags: [String] = []
  weak var next: Page?
}

/// Runs code in the `didSet` of its property.
@KeyValueObservable
private final class Draft {
  var text = "" {
    didSet { whenSet?() }
  }
  @KeyValueIgnored var whenSet: (() -> Void)?
}

/// Which changes a history records, decided where each begins.
@Suite struct HistoryRecording {
  /// Sets a property without recording in a callback of a transaction, where `size` is still to be
  /// delivered.
  private func setInCallback(
    of page: Page, _ history: KeyValueHistory, to sizes: Int...
  ) -> KeyValueObservation {
    page.onChange(of: \.title) { [unowned page] _ in
      withKeyValueTransaction {
        history.withoutRecording { for size in sizes { page.size = size } }
      }
    }
  }

  @Test("P11, P58: changes that wait for a running delivery are recorded in linear time")
  func linearTimeOfWaitingChanges() {
    func time(_ count: Int) -> Duration {
      let page = Page()
      let history = KeyValueHistory(of: page)
      let token = page.observe(\.size, options: .new) { page, change in
        if change.newValue != 1 { return }
        for size in 2...count { page.size = size }
      }
      let time = processorTime { page.size = 1 }
      withExtendedLifetime((history, token)) {}
      return time
    }
    #expect(slowdown(at: 12_000, measuring: time) < 10)
  }

  @Test("P27, P58: what an observer of a deallocation sets is recorded")
  func deallocation() throws {
    let (page, other) = (Page(), Page())
    var next: Page? = Page()
    page.next = next
    let history = KeyValueHistory(of: page)
    let token = page.onChange(of: \.next) { [unowned page] in if $0 == nil { page.next = other } }
    next = nil
    #expect(page.next === other)
    token.invalidate()
    try history.undo()
    #expect(page.next == nil)
    try history.redo()
    #expect(page.next === other)
  }

  @Test("P27, P58: so is what a binding copies then, if a deallocation around it is left out")
  func deallocationInDeallocation() {
    let (page, inner, copy, edited) = (Page(), Page(), Page(), Page())
    var (next, innerNext): (Page?, Page?) = (Page(), Page())
    (page.next, inner.next) = (next, innerNext)
    let history = KeyValueHistory(of: copy)
    let token = page.observe(\.next) { _, _ in innerNext = nil }
    let binding = inner.bind(
      \.next, to: copy, \.size, .oneWay, converting: { $0 == nil ? 1 : 2 })
    history.removeAll()
    // Both are delivered when the mutation ends.
    let tagToken = edited.observe(\.tags) { _, _ in }
    func release(_ tags: inout [String]) { history.withoutRecording { next = nil } }
    release(&edited.tags)
    #expect(copy.size == 1)
    #expect(history.canUndo)
    withExtendedLifetime((token, binding, tagToken, next, innerNext)) {}
  }

  @Test("P58: a transaction in a callback is left out, and the one around it is recorded")
  func nestedTransaction() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let token = setInCallback(of: page, history, to: 2)
    withKeyValueTransaction {
      page.title = "b"
      page.size = 1
    }
    #expect(page.size == 2)
    token.invalidate()
    try history.undo()
    #expect(page.size == 0)
    #expect(page.title == "a")
  }

  @Test("P58: a transaction is left out, and one in a callback of it is recorded")
  func recordedInCallback() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let token = page.onChange(of: \.title) { [unowned page] _ in
      withKeyValueTransaction { page.size = 2 }
    }
    withKeyValueTransaction {
      page.title = "b"
      history.withoutRecording { page.size = 1 }
    }
    #expect(page.size == 2)
    token.invalidate()
    try history.undo()
    #expect(page.size == 1)
  }

  @Test("P58, P59: an undo that is not recorded leaves nothing to make again")
  func undoWithoutRecording() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    page.mutableArrayValue(for: \.tags).append("x")
    try history.withoutRecording { () throws(KeyValueHistoryError) in try history.undo() }
    #expect(page.tags == [])
    #expect(!history.canUndo && !history.canRedo)
  }

  @Test("P58: what a callback changes without recording is left out, though it is delivered later")
  func deliveredLater() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    var isFirst = true
    let token = page.onChange(of: \.tags) { [unowned page] _ in
      guard isFirst else { return }
      isFirst = false
      history.withoutRecording { page.mutableArrayValue(for: \.tags).append("y") }
    }
    page.mutableArrayValue(for: \.tags).append("x")
    #expect(page.tags == ["x", "y"])
    try history.undo()
    #expect(page.tags == ["y"])
    #expect(!history.canUndo)
    withExtendedLifetime(token) {}
  }

  @Test("P58: changes of a loop that are abandoned leave nothing behind")
  func abandoned() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let token = page.onChange(of: \.size) { [unowned page] size in
      page.size = size + 1
      page.size = size + 2
    }
    try KeyValueDiagnostics.withHandler({ _ in }) {
      page.size = 1
      #expect(history.canUndo)
      token.invalidate()
      try history.undo()
    }
    #expect(page.size == 0)
    history.withoutRecording { page.size = 1 }
    #expect(!history.canUndo)
  }

  @Test("P52, P58: the first change in a transaction is the first that is not rolled back")
  func firstChangeTakenBack() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    func setAndTakeBack(to size: Int) {
      try? withKeyValueTransaction {
        page.size = size
        throw CancellationError()
      }
    }
    withKeyValueTransaction {
      history.withoutRecording { setAndTakeBack(to: 1) }
      page.size = 2
    }
    #expect(history.canUndo)
    try history.undo()
    #expect(page.size == 0)
    withKeyValueTransaction {
      setAndTakeBack(to: 1)
      history.withoutRecording { page.size = 2 }
    }
    #expect(!history.canUndo && page.size == 2)
  }

  @Test("P53, P58: a history that begins in a transaction does not record its rollback")
  func beginsInRollback() throws {
    let page = Page()
    var histories: [KeyValueHistory] = []
    try? withKeyValueTransaction {
      page.size = 1
      histories.append(KeyValueHistory(of: page))
      page.size = 2
      page.title = "b"
      throw CancellationError()
    }
    #expect(!histories[0].canUndo)
    withKeyValueTransaction {
      page.size = 3
      histories.append(KeyValueHistory(of: page))
      page.size = 4
    }
    try histories[1].undo()
    #expect(page.size == 3)
  }

  @Test(
    "P52, P58: a history that begins in a nested rollback starts from the value that is put back")
  func beginsInNestedRollback() throws {
    let (page, made, tagged) = (Page(), Page(), Page())
    var histories: [KeyValueHistory] = []
    let recorded = KeyValueHistory(of: Page())
    func takeBack(_ body: () -> Void) {
      try? withKeyValueTransaction {
        body()
        throw CancellationError()
      }
    }
    for policy in [KeyValueTransactionErrorPolicy.rollBack, .deliver] {
      page.size = 0
      tagged.tags = ["a"]
      made.size = 0
      recorded.removeAll()
      histories = []
      withKeyValueTransaction(onError: policy) {
        takeBack {
          (page.size, made.size, tagged.tags) = (5, 5, ["b"])
          histories.append(KeyValueHistory(of: page))
          recorded.record(made)
          recorded.record(tagged)
          made.size = 6
        }
        takeBack { made.size = 8 }
        page.size = 7
        made.size = 7
        tagged.mutableArrayValue(for: \.tags).append("c")
      }
      try histories[0].undo()
      #expect(page.size == 0)
      try recorded.undo()
      #expect(made.size == 0 && tagged.tags == ["a"])
      try recorded.redo()
      #expect(made.size == 7 && tagged.tags == ["a", "c"])
    }
  }

  @Test("P52, P58: whether it records is decided with the first change that is not rolled back")
  func firstChangeBehindNestedRollback() throws {
    let page = Page()
    let history = KeyValueHistory(of: Page())
    func recordAndTakeBack(_ page: Page) {
      try? withKeyValueTransaction {
        page.size = 5
        history.record(page)
        throw CancellationError()
      }
    }
    withKeyValueTransaction {
      history.withoutRecording { recordAndTakeBack(page) }
      page.size = 7
    }
    #expect(history.canUndo)
    try history.undo()
    #expect(page.size == 0)
    history.removeAll()
    let other = Page()
    withKeyValueTransaction {
      recordAndTakeBack(other)
      history.withoutRecording { other.size = 7 }
      other.size = 8
    }
    #expect(!history.canUndo && other.size == 8)
  }

  @Test("P58: a history may be released after a change was taken back, before the next one")
  func releasedAfterRollback() throws {
    let page = Deposit()
    var history: KeyValueHistory? = KeyValueHistory(of: page)
    // Without another observer, nothing asks whether the property has changed.
    let token = page.observe(\.x) { _, _ in }
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        page.x = 1
        throw CancellationError()
      }
      #expect(history?.canUndo == false)
      history = nil
      page.x = 2
    }
    #expect(page.x == 2)
    withExtendedLifetime(token) {}
  }

  @Test(
    "P62: a history is emptied in a didSet, also while it undoes and redoes", arguments: [0, 1])
  func emptiedWhileValuesArePutBack(undoCount: Int) throws {
    let draft = Draft()
    let history = KeyValueHistory(of: draft)
    draft.text = "a"
    draft.text = "b"
    var published: [Bool] = []
    var isBusy = false
    // Observers are notified when nothing is being put back any more.
    func publish(_ value: Bool) {
      published.append(value)
      do { try history.undo() } catch { isBusy = true }
    }
    for _ in 0..<undoCount { try history.undo() }
    let tokens = [
      history.onChange(of: \.canUndo, perform: publish),
      history.onChange(of: \.canRedo, perform: publish),
    ]
    draft.whenSet = { history.removeAll() }
    if undoCount == 0 { try history.undo() } else { try history.redo() }
    #expect(draft.text == (undoCount == 0 ? "a" : "b"))
    #expect(!history.canUndo && !history.canRedo)
    #expect(published == (undoCount == 0 ? [false] : [false, false]))
    #expect(!isBusy)
    tokens.forEach { $0.invalidate() }
    draft.whenSet = nil
    draft.text = "c"
    try history.undo()
    #expect(draft.text == (undoCount == 0 ? "a" : "b"))
    withExtendedLifetime(tokens) {}
  }

  @Test("P62: its groups are put back if that is in a transaction that is rolled back")
  func emptyingTakenBackInDidSet() throws {
    let (draft, other) = (Draft(), Draft())
    let (history, another) = (KeyValueHistory(of: draft), KeyValueHistory(of: other))
    (draft.text, draft.text, other.text) = ("a", "b", "c")
    draft.whenSet = {
      try? withKeyValueTransaction {
        for history in [history, another, history] { history.removeAll() }
        throw CancellationError()
      }
      other.text = "d"
    }
    try history.undo()
    #expect(draft.text == "a" && other.text == "c" && history.canUndo && another.canUndo)
    try history.redo()
    #expect(draft.text == "b" && other.text == "c" && history.canUndo && !history.canRedo)
  }

  @Test("P62: so is another history, whose keys are notified")
  func anotherEmptiedWhileValuesArePutBack() throws {
    let (draft, other) = (Draft(), Draft())
    let (history, another) = (KeyValueHistory(of: draft), KeyValueHistory(of: other))
    (draft.text, other.text) = ("a", "b")
    var published: [Bool] = []
    let token = another.onChange(of: \.canUndo) { published.append($0) }
    draft.whenSet = { another.removeAll() }
    try history.undo()
    #expect(draft.text == "" && history.canRedo)
    #expect(!another.canUndo && published == [false])
    token.invalidate()
  }

  @Test("P50, P62: not in one that a rollback causes, which leaves the groups as they were")
  func emptiedInRollback() throws {
    let draft = Draft()
    let history = KeyValueHistory(of: draft)
    draft.text = "a"
    draft.whenSet = { history.removeAll() }
    try? withKeyValueTransaction {
      draft.text = "b"
      throw CancellationError()
    }
    #expect(draft.text == "a" && history.canUndo)
    draft.whenSet = nil
    try history.undo()
    #expect(draft.text == "")
  }
}
