import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Typed key paths that name entries by subscripts.
  @Suite("Typed key paths through entries")
  struct EntryPathTests {
    private let recorder = Recorder()
    private let source = WidgetSource(["upper": 4.0])
    private let holder = WidgetHolder()
    private let child = WidgetSource(["upper": 1.0, "lower": 0.5])

    init() {
      holder.widget = source
      source.widget.store("child", child)
    }

    private func observe<Value>(
      _ keyPath: KeyPath<WidgetHolder, Value>,
      _ options: KeyValueObservation.Options = [.old, .new]
    ) -> KeyValueObservation {
      holder.observe(keyPath, options: options, changeHandler: recorder.receives("value"))
    }

    @Test("P24: a change of the entry at the end is delivered without evaluating the path")
    func notEvaluated() {
      let token = observe(\.widget?[.child]?[.upper], [.old, .new, .prior])
      for widget in [source, child] { widget.subscriptReads = 0 }
      child.widget.change("upper", to: 2.0)
      child.widget.change("upper", to: nil)
      child["upper"] = 3.0
      #expect(
        recorder.take() == [
          "value 1.0→2.0", "value 2.0→nil", "value nil→ prior", "value nil→3.0",
        ])
      #expect(source.subscriptReads == 0 && child.subscriptReads == 0)
      withExtendedLifetime((token, holder)) {}
    }

    @Test("P24: nor is it for a path of one subscript")
    func single() {
      let token = source.observe(
        \.[.upper], options: [.old, .new], changeHandler: recorder.receives("value"))
      source.subscriptReads = 0
      source.widget.change("upper", to: 5.0)
      #expect(recorder.take() == ["value 4.0→5.0"])
      #expect(source.subscriptReads == 0)
      withExtendedLifetime((token, source)) {}
    }

    @Test("P24 P26: a subscript behind an unwrapped one, and the reason of a change on the way")
    func unwrapped() {
      let token = observe(\.widget![.child]![.upper])
      source.subscriptReads = 0
      child.subscriptReads = 0
      child.widget.change("upper", to: 2.0)
      #expect(child.subscriptReads == 0)
      source.widget.change("child", to: WidgetSource(["upper": 7.0]))
      #expect(recorder.take() == ["value 1.0→2.0", "value 2.0→7.0 path"])
      withExtendedLifetime((token, holder)) {}
    }

    @Test("P24: each argument of a subscript is a key of its own")
    func arguments() {
      let upper = observe(\.widget?[.child]?[.upper])
      let lower = observe(\.widget?[.child]?[.lower])
      child.widget.change("lower", to: 0.75)
      #expect(recorder.take() == ["value 0.5→0.75"])
      child.widget.change("upper", to: 2.0)
      #expect(recorder.take() == ["value 1.0→2.0"])
      withExtendedLifetime((upper, lower, holder)) {}
    }

    @Test("P24: what is behind the subscript of an entry is evaluated")
    func behind() {
      let token = observe(\.widget?[.child]?[.upper]?.sign)
      child.widget.change("upper", to: -2.0)
      #expect(recorder.take() == ["value plus→minus"])
      let magnitude = observe(\.widget?[.child]?[.upper]?.magnitude)
      child.widget.change("upper", to: -3.0)
      #expect(recorder.take().contains("value 2.0→3.0"))
      withExtendedLifetime((token, magnitude, holder)) {}
    }

    @Test("P24: a subscript that reads an entry as another type says what the value is")
    func otherType() {
      let token = source.observe(
        \.[WidgetKey<Int>(name: "any")], options: [.old, .new],
        changeHandler: recorder.receives("value"))
      source.widget.change("any", to: 5)
      source.widget.change("any", to: "text")
      #expect(recorder.take() == ["value nil→5", "value 5→nil"])
      let rounded = source.observe(
        \.[WidgetKey<Float>(name: "upper")], options: .new,
        changeHandler: recorder.receives("float"))
      source.widget.change("upper", to: 6.0)
      #expect(recorder.take() == ["float →nil"])
      withExtendedLifetime((token, rounded, source)) {}
    }

    @Test("P24: the subscript of an entry that holds objects, at the end of a path")
    func objects() {
      let token = observe(\.widget?[.child])
      let next = WidgetSource()
      source.subscriptReads = 0
      source.widget.change("child", to: next)
      source.widget.change("child", to: nil)
      let changes = recorder.take()
      #expect(changes.count == 2 && changes.last?.hasSuffix("→nil") == true)
      #expect(source.subscriptReads == 0)
      withExtendedLifetime((token, holder)) {}
    }

    @Test("P24: the subscript of a dictionary, at the end of a path and by itself")
    func dictionary() {
      let root = DictionaryHolder()
      let tokens = [
        root.observe(
          \.settings?["size"], options: [.old, .new], changeHandler: recorder.receives("path")),
        root.settings!.observe(
          \.["size"], options: [.old, .new], changeHandler: recorder.receives("key")),
      ]
      root.settings?["size"] = 2
      #expect(recorder.take() == ["path 1→2", "key 1→2"])
      root.settings?.removeValue(forKey: "size")
      #expect(recorder.take() == ["path 2→nil", "key 2→nil"])
      root.settings = KeyValueDictionary(["size": 3])
      #expect(recorder.take() == ["path nil→3 path"])
      withExtendedLifetime((tokens, root)) {}
    }

    @Test("P1: a key path through a subscript has no key as a string")
    func noKey() {
      let token = observe(\.widget?[.child]?[.upper])
      #expect(WidgetHolder.key(for: \.widget?[.child]?[.upper]) == nil)
      #expect(WidgetSource.key(for: \.[.upper]) == nil)
      withExtendedLifetime(token) {}
    }

    @Test("P6: a single key is checked and read as one that is taken apart")
    func singleKeys() throws {
      #expect(throws: KeyValueCodingError.self) { try source.observe("") { _, _ in } }
      #expect(throws: KeyValueCodingError.self) { try source.observe("self") { _, _ in } }
      #expect(throws: KeyValueCodingError.self) { try source.observe("@count") { _, _ in } }
      #expect(throws: KeyValueCodingError.self) { try source.observe("uper") { _, _ in } }
      #expect(throws: KeyValueCodingError.self) { try source.observe("password") { _, _ in } }
      let token = try source.observe(
        "self.upper", options: [.initial, .new], changeHandler: recorder.receives("value"))
      #expect(recorder.take() == ["value →4.0"])
      withExtendedLifetime((token, source)) {}
    }
  }
}

@KeyValueObservable
private final class DictionaryHolder {
  var settings: KeyValueDictionary? = KeyValueDictionary(["size": 1])
}
