import KeyValueObserving
import Testing

@KeyValueObservable
private final class Page {
  var title = "a"
  var size = 0
}

/// Names the group in which its size is set.
@KeyValueObservable
private final class NamedPage {
  var size = 0 {
    didSet { history?.setGroupName("\(oldValue) to \(size)") }
  }
  @KeyValueIgnored weak var history: KeyValueHistory?
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

  @Test("P52, P61, P62: a name that is set in an inner transaction is put back with its changes")
  func nameTakenBack() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    func refuse(_ body: () -> Void) {
      try? withKeyValueTransaction {
        body()
        throw Refused()
      }
    }
    func refuseName() { refuse { history.setGroupName("Refused") } }
    withKeyValueTransaction {
      refuseName()
      page.size = 1
      refuseName()
    }
    #expect(history.canUndo && history.undoName == nil)
    withKeyValueTransaction {
      history.setGroupName("Resize")
      refuse {
        page.size = 2
        refuseName()
        history.setGroupName("Refused")
        history.removeAll()
        history.setGroupName("Refused")
        withKeyValueTransaction { history.setGroupName("Refused") }
      }
      page.size = 3
    }
    #expect(history.undoName == "Resize")
    withKeyValueTransaction {
      page.size = 4
      withKeyValueTransaction { history.setGroupName("Kept") }
      refuseName()
    }
    #expect(history.undoName == "Kept")
    try history.undo()
    #expect(page.size == 3 && history.redoName == "Kept")
  }

  @Test("P58, P61: so is one that a handler sets in a transaction of its own, also in an undo")
  func nameTakenBackInHandler() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let token = page.observe(\.size) { _, _ in
      try? withKeyValueTransaction {
        history.setGroupName("Refused")
        throw Refused()
      }
    }
    page.size = 1
    #expect(history.canUndo && history.undoName == nil)
    withKeyValueTransaction {
      history.setGroupName("Resize")
      page.size = 2
    }
    #expect(history.undoName == "Resize")
    try history.undo()
    #expect(history.redoName == "Resize")
    withExtendedLifetime(token) {}
  }

  @Test("P50, P62: a name that is set in a `didSet` which a rollback calls has no effect")
  func nameInRollback() throws {
    let page = NamedPage()
    let history = KeyValueHistory(of: page)
    page.history = history
    withKeyValueTransaction {
      page.size = 1
      try? withKeyValueTransaction {
        page.size = 2
        throw Refused()
      }
    }
    #expect(history.undoName == "0 to 1")
    try history.undo()
    #expect(page.size == 0 && history.redoName == "1 to 0")
  }

  @Test("P50, P62: a rollback puts the groups back that it has removed, and the keys with them")
  func removalTakenBack() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let recorder = Recorder()
    page.title = "b"
    page.size = 1
    history.setGroupName("Resize")
    page.title = "c"
    try history.undo()
    var tokens = [
      history.observe(
        \.canUndo, options: [.old, .new], changeHandler: recorder.receives("canUndo")),
      history.observe(
        \.canRedo, options: [.old, .new], changeHandler: recorder.receives("canRedo")),
      history.observe(\.undoName, options: [.old, .new], changeHandler: recorder.receives("name")),
    ]
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        history.removeAll()
        #expect(!history.canUndo && !history.canRedo && history.undoName == nil)
        tokens.append(
          history.observe(
            \.canUndo, options: [.old, .new], changeHandler: recorder.receives("late")))
        throw Refused()
      }
    }
    #expect(identifiers == [])
    #expect(recorder.take() == ["late false→true"])
    #expect(history.canUndo && history.canRedo && history.undoName == "Resize")
    try history.redo()
    #expect(page.title == "c")
    try history.undo()
    try history.undo()
    try history.undo()
    #expect(page.title == "a" && page.size == 0 && !history.canUndo)
    withExtendedLifetime(tokens) {}
  }

  @Test("P52, P62: so it does in a nested transaction, also with the group that is being recorded")
  func removalTakenBackInside() throws {
    let page = Page()
    let history = KeyValueHistory(of: page)
    let recorder = Recorder()
    let token = history.observe(
      \.canUndo, options: [.old, .new], changeHandler: recorder.receives("canUndo"))
    func removeAndTakeBack() {
      try? withKeyValueTransaction {
        history.removeAll()
        history.removeAll()
        throw Refused()
      }
    }
    page.title = "b"
    withKeyValueTransaction {
      page.size = 1
      removeAndTakeBack()
      page.title = "c"
    }
    try history.undo()
    #expect(page.title == "b" && page.size == 0)
    #expect(history.canUndo)
    let emptying = page.onChange(of: \.size) { size in
      if size == 2 { removeAndTakeBack() }
    }
    page.size = 2
    try history.undo()
    #expect(page.size == 0 && page.title == "b")
    withKeyValueTransaction {
      page.title = "d"
      removeAndTakeBack()
      history.removeAll()
    }
    #expect(!history.canUndo && !history.canRedo)
    #expect(recorder.take() == ["canUndo false→true", "canUndo true→false"])
    try? withKeyValueTransaction(onError: .deliver) {
      page.title = "e"
      throw Refused()
    }
    try? withKeyValueTransaction(onError: .deliver) {
      history.removeAll()
      throw Refused()
    }
    #expect(!history.canUndo)
    #expect(recorder.take() == ["canUndo false→true", "canUndo true→false"])
    withExtendedLifetime((token, emptying)) {}
  }
}
