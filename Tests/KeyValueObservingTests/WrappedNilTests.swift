import KeyValueObserving
import Testing

extension AllTests {
  @Suite("A nil inside an optional")
  struct WrappedNilTests {
    private let recorder = Recorder()
    private let shop = Shop()

    @Test(
      "P42: a nil inside an optional removes an entry as nil does",
      arguments: [nil, .some(nil)] as [Int??])
    func wrappedNil(value: Int??) throws {
      shop.settings = ["a": 1, "b": 2]
      shop.rows = [["a": 1, "b": 2], [:]]
      shop.nested = ["a": ["b": 3]]
      shop.anything = ["a": 1, "b": 2] as [String: Any]
      let token = shop.observe(\.settings, options: .new, changeHandler: recorder.receives("·"))
      for keyPath in ["settings.a", "rows.a", "nested.a.b", "anything.a"] {
        try shop.setValue(value as Any, forKeyPath: keyPath)
      }
      #expect(recorder.take() == [#"· →["b": 2]"#])
      #expect(shop.rows == [["b": 2], [:]] && shop.nested == ["a": [:]])
      #expect((shop.anything as? [String: Any])?.mapValues { $0 as? Int } == ["b": 2])
      withExtendedLifetime(token) {}
    }
  }
}
