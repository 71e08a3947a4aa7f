import KeyValueObserving
import Testing

@KeyValueObservable
private final class Page {
  var title = "a"
  var size = 0
}

/// The keys of a history, and the names of its groups.
@Suite struct HistoryKeys {
  @Test("P61: an observer of a key may undo, and the keys that notify after it have present values")
  func undoInObserver() {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let token = history.onChange(of: \.canUndo) { [unowned history] canUndo in
      if canUndo { try? history.undo() }
    }
    page.size = 1
    #expect(page.size == 0)
    #expect(!history.canUndo)
    #expect(history.canRedo)
    token.invalidate()
    let prior = history.observe(\.canRedo, options: .prior) { history, change in
      if change.isPrior { try? history.redo() }
    }
    page.size = 2
    #expect(page.size == 2)
    #expect(history.canUndo)
    #expect(!history.canRedo)
    withExtendedLifetime(prior) {}
  }

  @Test("P61: a name that is set at the beginning of a transaction is that of its group")
  func nameAtBeginning() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    page.size = 1
    withKeyValueTransaction {
      history.setGroupName("Rename")
      page.title = "b"
    }
    #expect(history.undoName == "Rename")
    try history.undo()
    #expect(page.title == "a")
    #expect(history.undoName == nil)
    #expect(history.redoName == "Rename")
    history.setGroupName("Resize")
    #expect(history.undoName == "Resize")
  }

  @Test("P61, P62: a name is dropped with a transaction in which nothing is recorded")
  func droppedName() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    page.size = 1
    withKeyValueTransaction { history.setGroupName("Rename") }
    #expect(history.undoName == nil)
    try? withKeyValueTransaction {
      history.setGroupName("Rename")
      page.size = 2
      throw CancellationError()
    }
    #expect(history.undoName == nil)
    page.title = "b"
    #expect(history.undoName == nil)
    try history.undo()
    try history.undo()
    #expect(page.size == 0)
    withKeyValueTransaction {
      history.setGroupName("Rename")
      page.size = 3
      history.removeAll()
    }
    #expect(!history.canUndo)
  }
}
