import KeyValueObserving
import Testing

@KeyValueObservable
private final class Shelf {
  @KeyValueIgnored var raw = [1, 2, 3]
  var items: [Int] { raw }
  func cut() {
    let range = RangeSet(0..<1)
    willChange(.removal, valuesAt: range, for: \.items)
    raw.removeFirst()
    didChange(.removal, valuesAt: range, for: \.items)
  }
}

@KeyValueObservable
private final class Notebook {
  @KeyValueIgnored var raw: [String]?
  var notes: [String]? { raw }

  /// Sets the notes inside of a pair for an element.
  func change(_ kind: KeyValueChangeKind, at index: Int? = 0, to notes: [String]?) {
    let indexes = index.map { RangeSet($0..<($0 + 1)) } ?? RangeSet()
    willChange(kind, valuesAt: indexes, forKey: "notes")
    raw = notes
    didChange(kind, valuesAt: indexes, forKey: "notes")
  }
}

@KeyValueObservable
private final class Library {
  var shelf: Archive?
}

@KeyValueObservable
private final class Archive {
  var items = [1, 2]

  static func automaticallyNotifiesObserversOfItems() -> Bool { false }

  /// Sets the items inside of a pair.
  func change(to items: [Int]) {
    willChangeValue(for: \.items)
    self.items = items
    didChangeValue(for: \.items)
  }

  /// Removes the first item inside of a pair for it.
  func cut() {
    willChange(.removal, valuesAt: RangeSet(0..<1), for: \.items)
    items.removeFirst()
    didChange(.removal, valuesAt: RangeSet(0..<1), for: \.items)
  }
}

@Suite struct PairInTransactionTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P47: one prior notification and one change for a pair, also if it is rolled back")
  func pairs() {
    let account = Deposit()
    let token = account.observe(\.x, options: [.prior]) { _, change in
      recorder.write(change.isPrior ? "prior" : "change")
    }
    try? withKeyValueTransaction {
      account.willChangeValue(for: \.x)
      account.didChangeValue(for: \.x)
      throw Refused()
    }
    #expect(recorder.take() == ["prior", "change"])
    withKeyValueTransaction {
      account.willChangeValue(for: \.x)
      account.x = 5
      account.didChangeValue(for: \.x)
    }
    #expect(recorder.take() == ["prior", "change"])
    withKeyValueTransaction {
      account.x = 6
      account.willChangeValue(for: \.x)
      account.didChangeValue(for: \.x)
    }
    #expect(recorder.take() == ["prior", "change"])
    withExtendedLifetime((token, account)) {}
  }

  @Test("P55: a pair that begins after a prior notification may end after the transaction")
  func pairAfterPrior() {
    let account = Deposit()
    let token = account.observe(
      \.x, options: [.new, .prior], changeHandler: recorder.receives("x"))
    withKeyValueTransaction {
      account.x = 1
      account.willChangeValue(for: \.x)
    }
    #expect(recorder.take() == ["x → prior", "x →1"])
    account.didChangeValue(for: \.x)
    #expect(recorder.take() == ["x →1"])
    withExtendedLifetime((token, account)) {}
  }

  @Test("P49: pairs of elements after a prior notification are one edit")
  func pairsOfElementsAfterPrior() {
    let shelf = Shelf()
    let tokens = [
      shelf.observe(\.items, options: options, changeHandler: recorder.receives("items")),
      shelf.observe(\.items, options: .prior) { _, _ in },
    ]
    withKeyValueTransaction {
      shelf.cut()
      shelf.cut()
    }
    #expect(recorder.take() == ["items [1, 2]→ removal [0, 1]"])
    withExtendedLifetime((tokens, shelf)) {}
  }

  @Test("P19, P49: a pair of elements is an edit")
  func pairOfElements() {
    let shelf = Shelf()
    let token = shelf.observe(\.items, options: options, changeHandler: recorder.receives("items"))
    withKeyValueTransaction { shelf.cut() }
    #expect(recorder.take() == ["items [1]→ removal [0]"])
    withKeyValueTransaction {
      shelf.cut()
      shelf.cut()
    }
    #expect(recorder.take() == ["items [2, 3]→ removal [0, 1]"])
    withExtendedLifetime(token) {}
  }

  @Test("P44, P49: a pair of elements that begins where there is no collection starts from nil")
  func pairOfElementsOfNil() throws {
    let notebook = Notebook()
    let tokens = [
      notebook.observe(\.notes, options: options, changeHandler: recorder.receives("typed")),
      try notebook.observe("notes", options: options, changeHandler: recorder.receives("string")),
    ]
    func changes(_ body: (Notebook) -> Void) -> String? {
      withKeyValueTransaction { body(notebook) }
      notebook.raw = nil
      let lines = recorder.take()
      let (typed, string) = (lines.first?.dropFirst(6), lines.last?.dropFirst(7))
      #expect(typed == string)
      return typed.map { String($0) }
    }
    #expect(changes { $0.change(.insertion, to: ["a"]) } == #"→["a"] insertion [0]"#)
    #expect(
      changes {
        $0.change(.insertion, to: ["a"])
        $0.change(.setting, to: ["b", "c"])
      } == #"nil→["b", "c"]"#)
    #expect(
      changes {
        $0.change(.insertion, to: ["a"])
        $0.change(.replacement, to: ["b"])
        $0.change(.insertion, at: 1, to: ["b", "c"])
      } == #"→["b", "c"] insertion [0, 1]"#)
    #expect(
      changes {
        $0.change(.insertion, to: ["a"])
        $0.change(.removal, to: [])
      } == "nil→[]")
    #expect(changes { $0.change(.insertion, at: nil, to: []) } == "nil→[]")
    #expect(
      changes {
        $0.change(.insertion, to: ["a"])
        $0.change(.removal, to: nil)
      } == nil)
    withExtendedLifetime(tokens) {}
  }

  @Test("P44, P49: a pair that removes all elements, and leaves no collection, starts from them")
  func pairOfElementsToNil() throws {
    let notebook = Notebook()
    notebook.raw = ["a"]
    let token = try notebook.observe(
      "notes", options: options, changeHandler: recorder.receives("notes"))
    withKeyValueTransaction { notebook.change(.removal, to: nil) }
    #expect(recorder.take() == [#"notes ["a"]→ removal [0]"#])
    notebook.raw = ["a"]
    withKeyValueTransaction {
      notebook.change(.removal, to: nil)
      notebook.change(.setting, to: ["b"])
    }
    #expect(recorder.take() == [#"notes ["a"]→["b"]"#])
    withExtendedLifetime(token) {}
  }

  @Test("P19, P47: two pairs of a dynamic key, whose name no one else keeps, are open at once")
  func pairsOfLongKey() {
    let key = String(repeating: "key", count: 100)
    let dictionary = KeyValueDictionary([key: 1])
    let token = try? dictionary.observe(key, options: .prior) { [recorder] _, change in
      recorder.write(change.isPrior ? "prior" : "change")
    }
    withKeyValueTransaction {
      for _ in 0..<2 { dictionary.willChangeValue(forKey: key) }
      dictionary[key] = 2
      dictionary.didChangeValue(forKey: key)
      dictionary[key] = 3
      dictionary.didChangeValue(forKey: key)
    }
    #expect(recorder.take() == ["prior", "prior", "change"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P44, P19: a path to a key starts from the value before a pair of it, whatever comes after that",
    arguments: [{ $0.change(to: [2]) }, { $0.cut() }] as [@Sendable (Archive) -> Void])
  fileprivate func pairsOnPath(_ change: @Sendable (Archive) -> Void) {
    let (library, archive) = (Library(), Archive())
    library.shelf = archive
    let token = library.observe(
      \.shelf?.items, options: [.old, .new, .prior], changeHandler: recorder.receives("items"))
    withKeyValueTransaction {
      change(archive)
      _ = recorder.take()
      library.shelf = Archive()
    }
    #expect(recorder.take() == ["items [1, 2]→[1, 2] path"])
    library.shelf = archive
    archive.items = [1, 2]
    library.shelf = archive
    _ = recorder.take()
    try? withKeyValueTransaction {
      change(archive)
      _ = recorder.take()
      throw Refused()
    }
    #expect(recorder.take() == ["items [1, 2]→[1, 2]"])
    withExtendedLifetime(token) {}
  }
}
