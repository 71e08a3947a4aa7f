import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Declared key paths")
  struct DeclaredPathTests {
    private let recorder = Recorder()

    @Test("P21, P6: in a declared key path self is the object itself")
    func selfInPath() {
      let reports = Diagnostics()
      let form = Form()
      let token = form.observe(\.state, options: .new, changeHandler: recorder.receives("state"))
      form.title = "a"
      form.next = Form()
      form.next?.title = "b"
      #expect(recorder.take() == ["state →1", "state →2", "state →3"])
      #expect(reports.take() == [])
      withExtendedLifetime(token) {}
    }

    @Test("P21: a declared key path without a key is notified", arguments: ["itself", "nothing"])
    func noKey(key: String) throws {
      let reports = Diagnostics()
      let token = try Form().observe(key) { _, _ in }
      let dependency = key == "itself" ? "self" : ""
      let sentence = "Form.\(key): the declared dependency '\(dependency)' is not observed, because"
      #expect(reports.take().map { $0.hasPrefix(sentence) } == [true])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P22, P30: a path to a stored key that depends on another receives each change once",
      arguments: [true, false])
    func storedDependent(isPathFirst: Bool) throws {
      let root = Form()
      let form = Form()
      root.next = form
      let options: KeyValueObservation.Options = [.old, .new]
      var tokens: [KeyValueObservation] = []
      func observeKey() {
        tokens.append(
          form.observe(\.stamp, options: options, changeHandler: recorder.receives("key")))
      }
      if !isPathFirst { observeKey() }
      tokens += [
        root.observe(\.next?.stamp, options: options, changeHandler: recorder.receives("typed")),
        try root.observe(
          "next.stamp", options: options, changeHandler: recorder.receives("string")),
      ]
      if isPathFirst { observeKey() }
      form.title = "a"
      #expect(recorder.take().sorted() == ["key 0→0", "string 0→0", "typed 0→0"])
      form.stamp = 1
      #expect(recorder.take().sorted() == ["key 0→1", "string 0→1", "typed 0→1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26: what a stored link depends on is a change of the path, typed or a string")
    func storedLink() throws {
      let form = Form()
      form.link = Form()
      let tokens = [
        form.observe(\.link?.stamp, options: .new, changeHandler: recorder.receives("typed")),
        try form.observe("link.stamp", options: .new, changeHandler: recorder.receives("string")),
      ]
      form.title = "a"
      #expect(recorder.take() == ["typed →0 path", "string →0 path"])
      form.link?.title = "b"
      #expect(recorder.take() == ["typed →0", "string →0"])
      form.link?.stamp = 1
      #expect(recorder.take() == ["typed →1", "string →1"])
      form.link = nil
      #expect(recorder.take() == ["typed →nil path", "string →nil path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21, P29: a declared key path runs through collections, like one that is observed")
    func throughCollections() {
      let reports = Diagnostics()
      let (root, first, second) = (Pages(), Pages(), Pages())
      let tokens = [
        root.observe(\.state, changeHandler: recorder.receives("state")),
        root.observe(\.total, changeHandler: recorder.receives("total")),
        root.observe(\.depth, changeHandler: recorder.receives("depth")),
        root.observe(\.mark, changeHandler: recorder.receives("mark")),
      ]
      root.pages = [first]
      root.mutableArrayValue(for: \.pages).append(second)
      #expect(
        recorder.take().sorted() == [
          "depth →", "depth →", "state →", "state →", "total →", "total →",
        ])
      second.number = 1
      #expect(recorder.take().sorted() == ["state →", "total →"])
      second.pages = [Pages()]
      second.pages[0].number = 2
      #expect(recorder.take() == ["depth →", "depth →"])
      root.pages.removeFirst()
      _ = recorder.take()
      first.number = 3
      #expect(recorder.take() == [])
      root.named["a"] = first
      first.number = 4
      #expect(recorder.take() == ["mark →", "mark →"])
      #expect(reports.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P21: a malformed declared key path is reported when its key is observed, for its reason",
      arguments: [
        ("open", "number.", "a component of the key path is empty"),
        ("operandless", "pages.@sum", "'@sum' needs a key path after it"),
        ("unknown", "pages.@first.number", "there is no collection operator '@first'"),
      ])
    func malformed(key: String, dependency: String, reason: String) throws {
      let reports = Diagnostics()
      let pages = Pages()
      let token = try pages.observe(key, changeHandler: recorder.receives(key))
      let sentence = "Pages.\(key): the declared dependency '\(dependency)' is not observed"
      #expect(reports.take().map { $0.hasPrefix("\(sentence), because \(reason). ") } == [true])
      // The keys in front of the mistake are observed all the same.
      pages.number = 1
      pages.pages = [Pages()]
      #expect(recorder.take() == ["\(key) →"])
      #expect(reports.take() == [])
      withExtendedLifetime(token) {}
    }

    @Test("P21: a declared key path that cannot go on behind a collection is reported once")
    func wrongBehindCollection() {
      let reports = Diagnostics()
      let pages = Pages()
      let tokens = [pages.observe(\.wrong) { _, _ in }, pages.observe(\.unknown) { _, _ in }]
      pages.pages = [Pages(), Pages()]
      pages.pages = [Pages()]
      #expect(
        reports.take().map { $0.prefix { $0 != "," } }.sorted() == [
          "Pages.unknown: the declared dependency 'pages.@first.number' is not observed",
          "Pages.wrong: the declared dependency 'pages.numbr' is not observed",
        ])
      withExtendedLifetime(tokens) {}
    }
  }
}

/// Keeps its state where the library does not see it.
@KeyValueObservable
private final class Pages {
  var pages: [Pages] = []
  var named: [String: Pages] = [:]
  var number = 0
  @KeyValueIgnored private var memo = 0

  @KeyValueDependent(on: "pages.number") var state: Int { memo }
  @KeyValueDependent(on: "pages.@sum.number", "pages.@count") var total: Int { memo }
  @KeyValueDependent(on: "pages.@max.pages.@sum.number") var depth: Int { memo }
  @KeyValueDependent(on: "named.a.number") var mark: Int { memo }
  @KeyValueDependent(on: "pages.numbr") var wrong: Int { memo }
  @KeyValueDependent(on: "pages.@first.number") var unknown: Int { memo }
  @KeyValueDependent(on: "pages.@sum") var operandless: Int { memo }
  @KeyValueDependent(on: "number.") var open: Int { memo }
}

@KeyValueObservable
private final class Form {
  var title = ""
  var next: Form?
  @KeyValueIgnored private var evaluations = -1

  @KeyValueDependent(on: "title") var stamp = 0
  @KeyValueDependent(on: "title") var link: Form?

  @KeyValueDependent(on: "self.title", "next.self.title")
  var state: Int {
    evaluations += 1
    return evaluations
  }

  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ["itself": ["self"], "nothing": [""]][key] ?? []
  }
  var itself: Int { evaluations }
  var nothing: Int { evaluations }
}
