import KeyValueObserving
import KeyValueObservingTesting
import Testing

@Suite("Recorder")
struct RecorderTests {
  private let article = Article()
  private let recorder = KeyValueChangeRecorder()

  @Test("it keeps one history of many observations, in the order of delivery")
  func history() throws {
    recorder.observe(\.count, of: article, as: "count")
    recorder.observe(\.title, of: article, options: [.new, .prior], as: "title")
    try recorder.observe("author.name", of: article, options: .new, as: "author")
    article.count = 1
    article.title = "a"
    article.author = Author()
    #expect(
      recorder.take() == [
        .init("count", .setting(from: 0, to: 1)), .init("title", .setting(isPrior: true)),
        .init("title", .setting(to: "a")),
        .init("author", .setting(to: "", reason: .pathChanged)),
      ])
    #expect(recorder.changes.isEmpty)
  }

  @Test("P44: it says which changes a transaction has delivered together")
  func transactions() {
    recorder.observe(\.count, of: article, options: [.old, .new, .prior], as: "count")
    recorder.observe(\.title, of: article, options: .new, as: "title")
    recorder.observe(\.headline, of: article, options: .new, as: "headline")
    article.title = "a"
    withKeyValueTransaction {
      article.count = 1
      article.title = "b"
      recorder.observe(\.count, of: article, options: [.initial, .new], as: "late")
    }
    #expect(
      recorder.changesByTransaction.map { $0.map(\.description) } == [
        [#"title: setting to "a""#], [#"headline: setting to "a 0""#],
        [
          "count: prior setting from 0", "count: setting from 0 to 1", #"title: setting to "b""#,
          #"headline: setting to "b 1""#,
        ],
        ["late: setting to 1"],
      ])
    #expect(recorder.changesByTransaction.flatMap(\.self).count == recorder.changes.count)
    _ = recorder.take()
    #expect(recorder.changesByTransaction == [])
  }

  @Test("P48: what a callback sets while a transaction is delivered is not part of it")
  func callbacks() {
    recorder.observe(\.count, of: article, options: .new, as: "count")
    let token = article.observe(\.title) { article, _ in if article.count < 5 { article.count = 5 }
    }
    withKeyValueTransaction {
      article.title = "a"
      article.count = 1
    }
    withKeyValueTransaction { article.count = 2 }
    #expect(
      recorder.changesByTransaction.map { $0.map(\.description) } == [
        ["count: setting to 1"], ["count: setting to 5"], ["count: setting to 2"],
      ])
    withExtendedLifetime(token) {}
  }

  @Test("P48: the prior notification of a change in a callback is not of the transaction")
  func priorsInCallbacks() {
    recorder.observe(\.title, of: article, options: .new, as: "title")
    recorder.observe(\.count, of: article, options: [.new, .prior], as: "count")
    let token = article.observe(\.title) { article, _ in article.count = 5 }
    withKeyValueTransaction { article.title = "a" }
    #expect(
      recorder.changesByTransaction.map { $0.map(\.description) } == [
        ["title: setting to \"a\""], ["count: prior setting"], ["count: setting to 5"],
      ])
    withExtendedLifetime(token) {}
  }

  @Test("a record reads as the change is written", arguments: 0..<8)
  func descriptions(row: Int) {
    let rows: [(KeyValueChangeRecord, String)] = [
      (.init("title", .setting(from: String?.none, to: "a")), "title: setting from nil to \"a\""),
      (.init("", KeyValueChange<Int>.setting(isPrior: true)), "prior setting"),
      (.init("", .setting(from: 1, isPrior: true)), "prior setting from 1"),
      (.init("n", .setting(to: 2, reason: .pathChanged)), "n: setting to 2, path changed"),
      (.init("", .insertion(of: ["x"], at: .places(1))), "insertion of [\"x\"] at 1"),
      (.init("", .removal(of: [7, 8], at: .places(0, 2))), "removal of [7, 8] at 0, 2"),
      (
        .init("", .replacement(from: [1], to: [2], at: .places(3))),
        "replacement from [1] to [2] at 3"
      ),
      (
        .init("", KeyValueChange<Int>.setting(reason: .sourceDeleted)), "setting, source deleted"
      ),
    ]
    #expect("\(rows[row].0)" == rows[row].1)
    for other in rows.indices { #expect((rows[row].0 == rows[other].0) == (other == row)) }
  }

  @Test("P2: an absent value is not one that is nil, and both differ from a value")
  func absence() {
    let absent = KeyValueChangeRecord("", KeyValueChange<String?>.setting())
    let isNil = KeyValueChangeRecord("", KeyValueChange<String?>.setting(to: nil))
    let isText = KeyValueChangeRecord("", KeyValueChange<String?>.setting(to: "nil"))
    #expect(absent != isNil)
    #expect(isNil != isText)
    #expect(isText == KeyValueChangeRecord("", KeyValueChange<Any?>.setting(to: "nil")))
  }

  @Test("objects that are not Equatable are compared by identity, also inside of other values")
  func identity() {
    let (one, other) = (Author(), Author())
    func record(_ value: some Any) -> KeyValueChangeRecord { .init("", .setting(to: value)) }
    #expect(record(one) == record(one))
    #expect(record(one) != record(other))
    #expect(record([one]) == record([one]))
    #expect(record([one]) != record([other]))
    #expect(record([one]) != record([one, one]))
    #expect(record(1) != record("1"))
  }

  @Test("P2: a dictionary that is not Equatable is compared by what it holds, in whatever order")
  func dictionaries() {
    let keys = (0..<50).map { "\($0)" }
    func record(_ value: some Any) -> KeyValueChangeRecord { .init("", .setting(to: value)) }
    var one: [String: Any] = [:]
    var other = [String: Any](minimumCapacity: 1000)
    for key in keys { one[key] = key }
    for key in keys.reversed() { other[key] = key }
    #expect(record(one) == record(other))
    #expect(record([one as Any?, nil]) == record([other as Any?, nil]))
    other["7"] = 7
    #expect(record(one) != record(other))
    other["7"] = nil
    #expect(record(one) != record(other))
  }

  @Test("edits of a collection by proxy are recorded with their places")
  func edits() {
    article.tags = ["a", "b"]
    recorder.observe(\.tags, of: article)
    article.mutableArrayValue(for: \.tags).append("c")
    article.mutableArrayValue(for: \.tags).remove(at: 0)
    recorder.expect([
      .init("", .insertion(of: ["c"], at: .places(2))),
      .init("", .removal(of: ["a"], at: .places(0))),
    ])
  }

  @Test("P35: edits of a set by proxy are recorded without places, which a set does not have")
  func setEdits() {
    recorder.observe(\.marks, of: article)
    let marks = article.mutableSetValue(for: \.marks)
    marks.insert(1)
    marks.assign([2])
    marks.remove(2)
    recorder.expect([
      .init("", .insertion(of: Set([1]))),
      .init("", .replacement(from: Set([1]), to: Set([2]))),
      .init("", .removal(of: Set([2]))),
    ])
  }

  @Test("P31: after it is invalidated it records nothing, and keeps its history")
  func invalidated() {
    recorder.observe(\.count, of: article)
    article.count = 1
    recorder.invalidate()
    article.count = 2
    #expect(recorder.changes == [.init("", .setting(from: 0, to: 1))])
  }

  @Test("P32: a recorder that is dropped ends its observations")
  func dropping() {
    expectNoLiveObservations {
      let recorder = KeyValueChangeRecorder()
      recorder.observe(\.count, of: article)
      article.count = 1
      #expect(recorder.changes.count == 1)
    }
  }
}
