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
  }
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
