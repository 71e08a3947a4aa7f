import KeyValueObserving
import Testing

/// Has an entry of a type, whose setter refuses long arrays.
private final class Sheet: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private(set) var numbers = [1, 2]
  private(set) var marks: Set<Int> = []

  static func keyValueProperties() -> [KeyValueProperty] { [] }
  static var hasDynamicKeys: Bool { true }

  func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    ["numbers": Self.numbersEntry, "marks": Self.marksEntry, "any": Self.anyEntry][key]
  }

  private static let numbersEntry = KeyValueProperty.entry(
    "numbers", of: Sheet.self, valueType: [Int].self, get: { $0.numbers },
    set: { row, value throws(KeyValueCodingError) in
      row.keyValueRegistrar.set(
        dynamicKey: "numbers", of: row, to: value, read: { row.numbers },
        write: { row.numbers = $0 as! [Int] })
    })

  private static let marksEntry = KeyValueProperty.entry(
    "marks", of: Sheet.self, valueType: Set<Int>.self, get: { $0.marks },
    set: { row, value throws(KeyValueCodingError) in
      row.keyValueRegistrar.set(
        dynamicKey: "marks", of: row, to: value, read: { row.marks },
        write: { row.marks = $0 as! Set<Int> })
    })

  private static let anyEntry = KeyValueProperty.entry(
    "any", of: Sheet.self, valueType: Any.self, get: { $0.numbers }, set: { _, _ in })
}

extension AllTests {
  @Suite("Proxies of entries that have a type")
  struct TypedEntryProxyTests {
    private let recorder = Recorder()
    private let row = Sheet()

    @Test("P35, P69: elements are converted to the entry's type without loss, or nothing changes")
    func array() throws {
      let token = try row.observe(
        "numbers", options: [.old, .new], changeHandler: recorder.receives("·"))
      let numbers = try row.mutableArrayValue(forKey: "numbers")
      let reported = reportedIdentifiers {
        numbers.append("x")
        numbers.append(3.0)
        numbers.replaceSubrange(0..<1, with: ["q", "r"])
      }
      #expect(reported == ["incompatibleElement", "incompatibleElement"])
      #expect(row.numbers == [1, 2, 3])
      #expect(recorder.take() == ["· →[3] insertion [2]"])
      let refused = reportedIdentifiers {
        withKeyValueTransaction {
          numbers.append("x")
          numbers.append(5)
        }
      }
      #expect(refused == ["incompatibleElement"] && row.numbers == [1, 2, 3, 5])
      #expect(recorder.take() == ["· →[5] insertion [3]"])
      token.invalidate()
    }

    @Test("P35, P69: and so are members of a set")
    func set() throws {
      let token = try row.observe(
        "marks", options: [.old, .new], changeHandler: recorder.receives("·"))
      let marks = try row.mutableSetValue(forKey: "marks")
      #expect(reportedIdentifiers { marks.insert("x") } == ["incompatibleElement"])
      marks.insert(2.0)
      #expect(row.marks == [2])
      #expect(recorder.take() == ["· →[2] insertion"])
      token.invalidate()
    }

    @Test("P69: an entry that is no collection has no proxy, and one of type Any refuses nil")
    func mismatch() {
      #expect(throws: KeyValueCodingError.self) { try row.mutableSetValue(forKey: "numbers") }
      #expect(throws: KeyValueCodingError.self) { try row.setValue(nil, forKey: "any") }
      #expect(throws: Never.self) { try row.setValue(1, forKey: "any") }
    }

    @Test("P42: an empty dictionary whose keys are no strings stays one in a document")
    func emptyDictionary() throws {
      let document = KeyValueDictionary(["first": [Int: Int]()])
      #expect(document["first"] is [Int: Int])
      document["scores"] = [1: 5]
      document["scores"] = [Int: Int]()
      #expect(document["scores"] as? [Int: Int] == [:])
      document["parts"] = [String: Int]()
      #expect(document["parts"] is KeyValueDictionary)
      document["others"] = [AnyHashable("a"): 1]
      #expect(document["others"] is KeyValueDictionary)
    }
  }
}
