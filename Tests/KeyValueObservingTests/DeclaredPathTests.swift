import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Declared key paths")
  struct DeclaredPathTests {
    private let recorder = Recorder()

    @Test("P21 P6: in a declared key path self is the object itself")
    func selfInPath() {
      let reports = Diagnostics()
      let form = Form()
      let token = form.observe(\.state, options: .new, changeHandler: recorder.hears("state"))
      form.title = "a"
      form.next = Form()
      form.next?.title = "b"
      #expect(recorder.take() == ["state →1", "state →2", "state →3"])
      #expect(reports.take() == [])
      withExtendedLifetime(token) {}
    }

    @Test("P21: a declared key path without a key is told", arguments: ["itself", "nothing"])
    func noKey(key: String) throws {
      let reports = Diagnostics()
      let token = try Form().observe(key) { _, _ in }
      let sentence = "Form declares that '\(key)' depends on '\(key == "itself" ? "self" : "")', of"
      #expect(reports.take().map { $0.hasPrefix(sentence) } == [true])
      withExtendedLifetime(token) {}
    }
  }
}

@KeyValueObservable
private final class Form {
  var title = ""
  var next: Form?
  @KeyValueIgnored private var evaluations = -1

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
