import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Conversions of key-value coding")
  struct ConversionTests {
    private let types = Types()

    /// Sets a value and returns the value that is read back.
    private func set(_ value: Any?, _ key: String) throws -> Any? {
      try types.setValue(value, forKey: key)
      return try types.value(forKey: key)
    }

    @Test("P42: a number becomes another type of number that has exactly its value")
    func numbers() throws {
      #expect(same(try set(127, "int8"), Int8(127)))
      #expect(same(try set(UInt64(3), "uint"), UInt(3)))
      #expect(same(try set(4.0, "int"), 4))
      #expect(same(try set(Float(5), "int128"), Int128(5)))
      #expect(same(try set(Int.min, "int128"), Int128(Int.min)))
      #expect(same(try set(0.5, "float"), Float(0.5)))
      #expect(same(try set(Float(0.25), "double"), 0.25))
      #expect(same(try set(1 << 53, "double"), Double(1 << 53)))
      #expect(same(try set(-Double.infinity, "float"), -Float.infinity))
      #expect((try set(Double.nan, "float") as? Float)?.isNaN == true)
    }

    @Test("P42: a Bool is the number 0 or 1, and no other number is a Bool")
    func bool() throws {
      #expect(same(try set(1, "bool"), true))
      #expect(same(try set(0.0, "bool"), false))
      #expect(same(try set(true, "int8"), Int8(1)))
      #expect(same(try set(false, "double"), 0.0))
      #expect(refuses(2, "bool") && refuses(-1, "bool") && refuses(0.5, "bool"))
    }

    @Test("P42: what a property cannot hold throws and changes nothing")
    func refusals() {
      #expect(refuses(300, "int8"))
      #expect(refuses(-1, "uint"))
      #expect(refuses(3.9, "int"))
      #expect(refuses(Double.infinity, "int") && refuses(Double.nan, "int"))
      #expect(refuses(1e300, "int128") && refuses(1e300, "float"))
      #expect(refuses(0.1, "float"))
      #expect(refuses((1 << 53) + 1, "double"))
      #expect(refuses("42", "int") && refuses("true", "bool") && refuses("1", "double"))
      #expect(refuses(42, "string") && refuses("ab", "character"))
      #expect(refuses(Place(), "int") && refuses(1, "range") && refuses(Opaque(), "existential"))
    }

    private func refuses(_ value: Any, _ key: String) -> Bool {
      let former = String(describing: try? types.value(forKey: key))
      let error = thrown(KeyValueCodingError.self) { try types.setValue(value, forKey: key) }
      guard case .typeMismatch(_, key, _, let actual, _) = error else { return false }
      return actual == type(of: value)
        && String(describing: try? types.value(forKey: key)) == former
    }

    @Test("P42: the error names the class, the key, the value and both types")
    func sentence() {
      let error = thrown(KeyValueCodingError.self) { try types.setValue(300, forKey: "int8") }
      #expect(
        error?.description
          == "Types.int8: 300 of type Int cannot be converted to Int8 without loss. Pass a value of "
          + "type Int8.")
    }

    @Test("P42: arrays are converted member by member, or not at all")
    func arrays() throws {
      #expect(same(try set(["a", "b"] as [Any], "strings"), ["a", "b"]))
      #expect(same(try set(["a"] as [Any?], "strings"), ["a"]))
      #expect(same(try set(["a", "b"][...], "strings"), ["a", "b"]))
      #expect(same(try set([] as [Int], "strings"), [String]()))
      #expect(same(try set(["a", nil] as [Any?], "optionalStrings"), ["a", nil]))
      #expect(same(try set([1, 2.5] as [Any], "doubles"), [1, 2.5] as ContiguousArray))
      #expect(same(try set([[1], [UInt8(2), 3]] as [Any], "matrix"), [[1.0], [2, 3]]))
      #expect(refuses(["a", 1] as [Any], "strings"))
      #expect(refuses(["a", nil] as [Any?], "strings"))
      #expect(refuses([1, 0.5, "x"] as [Any], "doubles"))
      #expect(refuses([[1], ["x"]] as [Any], "matrix"))
      #expect(refuses("a", "strings") && refuses(["a"] as Set, "strings"))
      #expect(refuses(["a": 1], "strings"))
    }

    @Test("P42: sets and dictionaries are converted member by member, or not at all")
    func setsAndDictionaries() throws {
      #expect(same(try set([1, 2.0] as Set<AnyHashable>, "ints"), [1, 2] as Set))
      #expect(same(try set(["a": 1.0, "b": true] as [String: Any], "counts"), ["a": 1, "b": 1]))
      #expect(same(try set(["a": UInt8(1)] as [AnyHashable: Any], "counts"), ["a": 1]))
      #expect(refuses([1, 2], "ints"))
      #expect(refuses([1, "2"] as Set<AnyHashable>, "ints"))
      #expect(refuses(["a": nil] as [String: Any?], "counts"))
      #expect(refuses(["a": "1"], "counts") && refuses([1: 1], "counts"))
    }

    @Test("P42: two members that would become one are not converted")
    func merging() {
      #expect(refuses([1: "a", true: "b"] as [AnyHashable: String], "names"))
      #expect(refuses([AnyHashable(1), AnyHashable(true)] as Set<AnyHashable>, "ints"))
    }

    @Test("P42: a raw value becomes what it stands for")
    func rawValues() throws {
      #expect(same(try set("published", "state"), Types.State.published))
      #expect(same(try set(Types.State.draft, "state"), Types.State.draft))
      #expect(same(try set(3, "flags"), Types.Flags(rawValue: 3)))
      #expect(refuses("lost", "state") && refuses(1, "state") && refuses(300, "flags"))
    }

    @Test("P42: nil is stored where there is room for it, and refused elsewhere")
    func none() throws {
      #expect(try set(nil, "int") == nil)
      #expect(try set(nil, "any") == nil)
      #expect(try set(nil, "existential") == nil)
      #expect(try set(Int??.some(.none) as Any?, "int") == nil)
      for key in ["int8", "double", "bool", "string", "strings", "counts", "state"] {
        let error = thrown(KeyValueCodingError.self) { try set(nil, key) }
        guard case .nilForNonOptional(_, key, _) = error else {
          Issue.record("\(key) took nil")
          continue
        }
      }
    }

    @Test("P42: values are never doubly wrapped")
    func layers() throws {
      #expect(same(try set(Int??.some(3) as Any?, "int"), 3))
      #expect(same(try set(Optional(Optional("a")) as Any, "string"), "a"))
      #expect(same(try set(Optional(4) as Any, "any"), 4))
      #expect(try set(Int?.none as Any, "any") == nil)
      // As a dictionary of type `[String: Any]` returns them.
      let row: [String: Any] = ["none": Int?.none as Any, "some": Int?.some(5) as Any]
      #expect(try set(row["none"] as Any, "any") == nil)
      #expect(same(try set(row["some"] as Any, "any"), 5))
    }
  }
}
