import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Entries are as strict as properties.
  @Suite("Entries")
  struct EntryTests {
    private let source = WidgetSource([
      "upper": 4.0, "lower": 1.0, "size": 3, "small": 1, "title": "a",
    ])

    private func error(setting key: String, to value: Any?) -> KeyValueCodingError? {
      do throws(KeyValueCodingError) {
        try source.setValue(value, forKey: key)
        return nil
      } catch {
        return error
      }
    }

    @Test("P69, P42: a value becomes one of the entry's type, if nothing is lost")
    func converted() throws {
      #expect(error(setting: "upper", to: 5) == nil)
      #expect(source["upper"] as? Double == 5)
      #expect(error(setting: "upper", to: Float(0.5)) == nil)
      #expect(source["upper"] as? Double == 0.5)
      #expect(error(setting: "title", to: nil) == nil)
      #expect(source["title"] == nil)
      #expect(error(setting: "names", to: ["a", Optional("b")] as [Any?]) == nil)
      #expect(source["names"] as? [String] == ["a", "b"])
      #expect(error(setting: "any", to: 1) == nil)
      #expect(error(setting: "any", to: "text") == nil)
      #expect(error(setting: "any", to: nil) == nil)
    }

    @Test("P69, P42: every other value is refused, with the type of the entry, and changes nothing")
    func refused() throws {
      let token = try source.observe("upper") { _, _ in Issue.record("nothing has changed") }
      #expect(
        error(setting: "upper", to: "5")
          == .typeMismatch(
            type: WidgetSource.self, key: "upper", expected: Double.self, actual: String.self,
            value: "5"))
      #expect(
        error(setting: "upper", to: Double?.none)
          == .nilForNonOptional(type: WidgetSource.self, key: "upper", expected: Double.self))
      #expect(
        error(setting: "title", to: 5)
          == .typeMismatch(
            type: WidgetSource.self, key: "title", expected: String?.self, actual: Int.self,
            value: "5"))
      #expect(error(setting: "size", to: 5) == .readOnly(type: WidgetSource.self, key: "size"))
      #expect(source["upper"] as? Double == 4 && source["title"] as? String == "a")
      withExtendedLifetime((token, source)) {}
    }

    @Test("P69, P42: the setter of an entry receives nil for a nil inside an optional")
    func wrappedNil() {
      #expect(error(setting: "any", to: 1) == nil)
      #expect(error(setting: "any", to: Optional<Int>.none as Any) == nil)
      #expect(source.widget.values["any"] == nil)
    }

    @Test(
      "P69, P2: observers receive no value of an entry doubly wrapped",
      arguments: [[.old, .new], [.old, .new, .prior]] as [KeyValueObservation.Options])
    func flat(options: KeyValueObservation.Options) throws {
      let entry = source.keyValueProperty(forKey: "any")!
      var stored: Any? = 0
      var received: [String?] = []
      let token = try source.observe("any", options: options) { _, change in
        if change.isPrior { return }
        received += [change.oldValue!, change.newValue!].map { $0.map { "\($0)" } }
      }
      for value in [Int?.some(1) as Any, 2, Int?.none as Any, Int??.some(3) as Any, nil] as [Any?] {
        try source.keyValueRegistrar.set(
          entry, of: source, to: value, read: { stored }, write: { stored = $0 })
      }
      #expect(received == ["0", "1", "1", "2", "2", nil, nil, "3", "3", nil])
      withExtendedLifetime((token, source)) {}
    }

    @Test("P69: what the setter of an entry throws is thrown, and no observer is notified")
    func thrown() throws {
      let token = try source.observe("small") { _, _ in Issue.record("nothing has changed") }
      let expected = KeyValueCodingError.typeMismatch(
        type: WidgetSource.self, key: "small", expected: Int.self, actual: Int.self, value: "12")
      #expect(error(setting: "small", to: 12) == expected)
      #expect(source["small"] as? Int == 1)
      withExtendedLifetime((token, source)) {}
    }

    @Test("P69: a write that throws after prior notifications leaves nothing behind")
    func thrownByWrite() throws {
      let recorder = Recorder()
      let entry = source.keyValueProperty(forKey: "upper")!
      let holder = WidgetHolder()
      holder.widget = source
      let tokens = [
        try source.observe(
          "upper", options: [.old, .new, .prior], changeHandler: recorder.receives("upper")),
        holder.observe(\.area, options: [.old, .new], changeHandler: recorder.receives("area")),
      ]
      #expect(throws: KeyValueCodingError.readOnly(type: WidgetSource.self, key: "upper")) {
        try source.keyValueRegistrar.set(
          entry, of: source, to: 1.0, read: { 4.0 },
          write: { _ throws(KeyValueCodingError) in
            throw .readOnly(type: WidgetSource.self, key: "upper")
          })
      }
      #expect(recorder.take() == ["upper 4.0→ prior"])
      source["upper"] = 5.0
      #expect(recorder.take() == ["upper 4.0→ prior", "upper 4.0→5.0", "area 4.0→5.0"])
      withExtendedLifetime((tokens, source)) {}
    }

    @Test("P69, P43: setValues sets all or none, also where a setter throws")
    func allOrNone() throws {
      #expect(throws: KeyValueCodingError.self) {
        try source.setValues(["lower": 2.0, "small": 12, "upper": 9.0])
      }
      #expect(source["upper"] as? Double == 4 && source["lower"] as? Double == 1)
      try source.setValues(["small": 2, "upper": 9])
      #expect(source["upper"] as? Double == 9 && source["small"] as? Int == 2)
    }

    @Test(
      "P69, P42: setValues that throws for another key has not set a write-only one",
      arguments: [("zzz", 1 as Int?), ("small", 12), ("title", 1), ("size", 1), ("lower", nil)])
    func allOrNoneWriteOnly(key: String, value: Int?) throws {
      try source.setValue("old", forKey: "password")
      let holder = WidgetHolder()
      holder.widget = source
      let notified = "nothing has changed"
      let tokens = try ["any", "title", "upper"].map {
        try source.observe($0) { _, _ in Issue.record(Comment(rawValue: notified)) }
      }
      #expect(throws: KeyValueCodingError.self) {
        try source.setValues(["password": "new", key: value])
      }
      #expect(throws: KeyValueCodingError.self) {
        try source.setValues(["any": 1, "password": "new", "zzz": value])
      }
      #expect(source.widget.values["password"] as? String == "old")
      #expect(source.widget.values["any"] == nil && source["upper"] as? Double == 4)
      withExtendedLifetime((tokens, holder)) {}
    }

    @Test("P69: a write-only key can be set, and neither read nor observed, each by name")
    func writeOnly() throws {
      try source.setValue("secret", forKey: "password")
      #expect(source.widget.values["password"] as? String == "secret")
      let expected = KeyValueCodingError.writeOnly(type: WidgetSource.self, key: "password")
      #expect(throws: expected) { try source.value(forKey: "password") }
      #expect(throws: expected) { try source.value(forKeyPath: "password.count") }
      #expect(throws: expected) { try source.observe("password") { _, _ in } }
      #expect(throws: expected) { try source.mutableArrayValue(forKey: "password") }
      let holder = WidgetHolder()
      holder.widget = source
      #expect(throws: expected) { try holder.observe("widget.password") { _, _ in } }
      #expect(throws: expected) { try holder.value(forKeyPath: "widget.password") }
      #expect(
        expected.description
          == "WidgetSource.password: the property can be set, but neither read nor observed. "
          + "Read or observe another key of the object.")
    }

    @Test("P69, P6: an undefined key gets the nearest one of the object")
    func suggested() throws {
      func message(_ key: String) -> String? {
        do throws(KeyValueCodingError) {
          _ = try source.value(forKey: key)
          return nil
        } catch {
          return error.description
        }
      }
      #expect(message("uper") == "WidgetSource has no key 'uper'. Did you mean 'upper'?")
      #expect(
        message("entirely-different")
          == "WidgetSource has no key 'entirely-different'. "
          + "Its keys are those for which keyValueProperty(forKey:) returns a property.")
      #expect(
        throws: KeyValueCodingError.undefinedKey(
          "uper", type: WidgetSource.self, suggestion: "upper")
      ) {
        try source.observe("uper") { _, _ in }
      }
      #expect(
        throws: KeyValueCodingError.undefinedKey(
          "uper", type: WidgetSource.self, suggestion: "upper")
      ) {
        try source.setValue(1, forKey: "uper")
      }
    }

    @Test("P69, P6: a link that is nil is checked against the type of the entry")
    func nilLink() throws {
      #expect(throws: KeyValueCodingError.self) { try source.observe("title.length") { _, _ in } }
      _ = try source.observe("child.upper") { _, _ in }
    }

    @Test("P69: an edit of a proxy that the setter refuses changes nothing, and is reported")
    func refusedEdit() throws {
      let diagnostics = Diagnostics()
      let names = try source.mutableArrayValue(forKey: "names")
      names.append("a")
      #expect(source["names"] as? [String] == ["a"])
      #expect(diagnostics.take() == [])
      names.append(1)
      #expect(source["names"] as? [String] == ["a"])
      #expect(diagnostics.take().count == 1)
    }

    @Test("Entries of one key have one name in memory, whatever the key")
    func interned() {
      let keys = ["upper", "", "a\0b", String(repeating: "long", count: 100), "é"]
      for key in keys {
        let entry = KeyValueProperty.entry(key, of: WidgetSource.self, get: { _ in 1 }, set: nil)
        let other = KeyValueProperty.entry(key, of: WidgetSource.self, get: { _ in 1 }, set: nil)
        #expect(entry.key == key && entry.name == other.name)
        #expect(entry.name.isIdentical(to: other.name) == (key.utf8.count < 100 && key != "a\0b"))
      }
    }
  }
}
