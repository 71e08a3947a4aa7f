import KeyValueObserving
import Testing

// That none of these is warned of is seen where the tests are built.

@KeyValueObservable
private class OldAccount {
  var name = "n"
  @available(*, deprecated, renamed: "name") var title = "t"
  @available(*, deprecated) var heading: String { "\(name)!" }
}

@KeyValueObservable
private final class OldSavings: OldAccount {
  @available(*, deprecated) weak var owner: OldAccount?
}

@KeyValueObservable
private final class OldPair<Value> {
  @available(*, deprecated) var values: [Value] = []
}

@KeyValueObservable
@MainActor private class OldView {
  @available(*, deprecated) var width = 1
}

extension AllTests {
  @Suite("Deprecated properties")
  struct DeprecatedPropertyTests {
    private let recorder = Recorder()

    @Test("P21, P42: a deprecated property is observed, read and written by key like any other")
    func inherited() throws {
      let savings = OldSavings()
      let tokens = [
        try savings.observe(
          "title", options: [.old, .new], changeHandler: recorder.receives("title")),
        try savings.observe("heading", options: .new, changeHandler: recorder.receives("heading")),
        try savings.observe("owner", options: .new, changeHandler: recorder.receives("owner")),
      ]
      try savings.setValue("T", forKey: "title")
      savings.name = "N"
      try savings.setValue(nil, forKey: "owner")
      #expect(recorder.take() == ["title t→T", "heading →N!", "owner →nil"])
      #expect(try savings.value(forKey: "title") as? String == "T")
      tokens.forEach { $0.invalidate() }
    }

    @Test("P21: a deprecated property of a generic class has a key")
    func generic() throws {
      let pair = OldPair<Int>()
      try pair.mutableArrayValue(forKey: "values").append(1)
      #expect(try pair.value(forKey: "values") as? [Int] == [1])
    }

    @Test("P40: a deprecated property of a class on the main actor has a key")
    @MainActor
    func isolated() throws {
      let view = OldView()
      try view.setValue(2, forKey: "width")
      #expect(try view.value(forKey: "width") as? Int == 2)
    }
  }
}
