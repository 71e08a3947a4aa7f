#if GObject
  import CGObject
  import CGObjectModels
  import KeyValueObservingGObject
  import Testing

  extension GObjectTests {
    @Suite("Values")
    struct ValueTests {
      private let model = makeModel()

      /// Sets a key, and returns what it is then.
      private func roundTrip<Value>(_ key: String, _ value: Value) throws -> Value? {
        try model.setValue(value, forKey: key)
        let found = try model.value(forKey: key)
        #expect(found.map { type(of: $0) } == Value.self, "\(key)")
        return found as? Value
      }

      /// Whether a key refuses a value, and keeps the one that it has.
      private func refuses(_ value: Any?, _ key: String, _ words: String = "") -> Bool {
        let before = "\(String(describing: model[key]))"
        do {
          try model.setValue(value, forKey: key)
          return false
        } catch {
          return "\(error)".contains("GObjectSource.\(key): ")
            && (words.isEmpty || "\(error)".contains(words))
            && "\(String(describing: model[key]))" == before
        }
      }

      @Test("P42: a number is of the type that it has in C, with all of its values")
      func numbers() throws {
        #expect(try roundTrip("boolean", true) == true)
        for value in [Int8.min, 0, .max] { #expect(try roundTrip("int8", value) == value) }
        for value in [UInt8.min, .max] { #expect(try roundTrip("uint8", value) == value) }
        for value in [Int32.min, .max] { #expect(try roundTrip("int32", value) == value) }
        for value in [UInt32.min, .max] { #expect(try roundTrip("uint32", value) == value) }
        for value in [Int.min, .max] { #expect(try roundTrip("long", value) == value) }
        for value in [UInt.min, .max] { #expect(try roundTrip("unsigned-long", value) == value) }
        for value in [Int64.min, .max] { #expect(try roundTrip("int64", value) == value) }
        for value in [UInt64.min, .max] { #expect(try roundTrip("uint64", value) == value) }
        for value in [-Float.greatestFiniteMagnitude, 0.5] {
          #expect(try roundTrip("float", value) == value)
        }
        for value in [-Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1] {
          #expect(try roundTrip("double", value) == value)
        }
      }

      @Test("P42: a number is converted if nothing is lost, and refused otherwise")
      func conversions() throws {
        try model.setValue(3.0, forKey: "int8")
        #expect(model["int8"] as? Int8 == 3)
        try model.setValue(true, forKey: "double")
        #expect(model["double"] as? Double == 1)
        try model.setValue(UInt64.max, forKey: "unsigned-long")
        for (value, key) in [
          (300, "int8"), (-1, "uint8"), (0.5, "int32"), (-1, "uint32"), (UInt64.max, "int64"),
          (-1, "uint64"), (0.1, "float"), (2, "boolean"), ("1", "int32"), ("a", "double"),
          (1, "name"), ([1], "strings"), ("a", "child"), ("a", "color"),
        ] as [(Any, String)] {
          #expect(refuses(value, key), "\(key) takes \(value).")
        }
        for key in ["boolean", "int8", "double", "kind", "traits"] {
          #expect(refuses(nil, key, "has no nil"), "\(key) takes nil.")
        }
      }

      @Test("P42: a number outside of the property's range is refused, at each of its ends")
      func range() throws {
        for value in [0.0, 1000] { #expect(try roundTrip("page-size", value) == value) }
        #expect(refuses(1000.5, "page-size", "Pass a number from 0.0 to 1000.0."))
        #expect(refuses(-0.5, "page-size"))
        #expect(refuses(Double.nan, "page-size"))
        #expect(refuses(Double.infinity, "double"))
        #expect(refuses(1001, "even", "Pass a number from 0 to 1000."))
      }

      @Test("enumerations and flags are numbers, and other numbers are refused")
      func enumerations() throws {
        #expect(try roundTrip("kind", Int32(5)) == 5)
        #expect(refuses(4, "kind", "is not of the type KVOKind"))
        #expect(try roundTrip("traits", UInt32(5)) == 5)
        #expect(refuses(2, "traits", "is not of the type KVOTraits"))
      }

      @Test("text is text, NULL is nil, and what C would cut off is refused")
      func text() throws {
        #expect(model["name"] == nil)
        for text in ["", "a", "héllo 👋🏽", String(repeating: "x", count: 5000)] {
          #expect(try roundTrip("name", text) == text)
        }
        try model.setValue(nil, forKey: "name")
        #expect(model["name"] == nil)
        #expect(refuses("a\0b", "name", "contains a null character"))
        #expect(refuses(["a\0b"], "strings", "contains a null character"))
      }

      @Test("string lists are arrays, empty and missing ones apart")
      func strings() throws {
        #expect(model["strings"] == nil)
        for strings in [[], [""], ["a", "", "b"]] {
          #expect(try roundTrip("strings", strings) == strings)
        }
        try model.setValue(nil, forKey: "strings")
        #expect(model["strings"] == nil)
      }

      @Test("P35: a proxy edits a string list, which is one change")
      func proxy() throws {
        model["strings"] = ["a"]
        let lines = Lines()
        let token = try model.observe("strings") { _, change in lines.write("\(change)") }
        let strings = try model.mutableArrayValue(forKey: "strings")
        strings.append("b")
        #expect(model["strings"] as? [String] == ["a", "b"])
        #expect(lines.take() == ["insertion at 1"])
        g_object_notify(model.instance, "strings")
        #expect(lines.take() == [])
        strings.append(1)
        #expect(model["strings"] as? [String] == ["a", "b"])
        withExtendedLifetime(token) {}
      }

      @Test("objects and interfaces are their sources, and those of another class are refused")
      func objects() throws {
        let (child, special) = (makeModel(), GObjectSource.taking(kvo_special_model_new()))
        #expect((try roundTrip("child", child) as GObjectSource?) === child)
        #expect((try roundTrip("child", special) as GObjectSource?) === special)
        #expect((try roundTrip("item", child) as GObjectSource?) === child)
        let plain = GObjectSource.taking(
          g_object_new_with_properties(kvo_type_object, 0, nil, nil)!)
        #expect(refuses(plain, "child", "is not of the type KVOModel"))
        #expect(refuses(plain, "item", "is not of the type KVOItem"))
        for key in ["child", "item"] {
          try model.setValue(nil, forKey: key)
          #expect(model[key] == nil)
        }
      }

      @Test("a boxed value is a copy, which lives as long as Swift keeps it")
      func boxed() throws {
        #expect(model["color"] == nil)
        var color = KVOColor(red: 1, green: 2, blue: 3)
        let boxed = try #require(GObjectBoxed(copying: &color, ofType: UInt(kvo_color_get_type())))
        color.red = 5
        try model.setValue(boxed, forKey: "color")
        let found = try #require(model[.color])
        kvo_set_color(model.pointer, "color", 9)
        try model.setValue(nil, forKey: "color")
        func red(_ boxed: GObjectBoxed) -> Double {
          boxed.withUnsafePointer { $0.load(as: KVOColor.self).red }
        }
        #expect((red(boxed), red(found)) == (1, 1))
        #expect(found.typeName == "KVOColor")
        #expect(found != boxed && found == found)
        #expect(GObjectBoxed(copying: &color, ofType: UInt(kvo_type_int)) == nil)
        #expect(refuses(variant("a"), "color", "is not of the type KVOColor"))
      }

      /// A variant, by way of a property of another object.
      private func variant(_ text: String) -> GObjectBoxed {
        let other = makeModel()
        var value = GValue()
        g_value_init(&value, kvo_type_variant)
        g_value_set_variant(&value, g_variant_new_string(text))
        g_object_set_property(other.instance, "variant", &value)
        g_value_unset(&value)
        return other["variant"] as! GObjectBoxed
      }

      @Test("variants and bytes are compared by what they hold")
      func variants() throws {
        #expect(variant("a") == variant("a"))
        #expect(variant("a") != variant("b"))
        try model.setValue(variant("a"), forKey: "variant")
        let lines = Lines()
        let token = try model.observe("variant", options: .new, changeHandler: lines.writer())
        g_object_notify(model.instance, "variant")
        #expect(lines.take() == [])
        try model.setValue(variant("b"), forKey: "variant")
        #expect(lines.take().count == 1)
        let bytes = g_bytes_new("ab", 2)
        let others = g_bytes_new("ab", 2)
        func boxed(_ bytes: OpaquePointer?) -> GObjectBoxed? {
          bytes.flatMap {
            GObjectBoxed(copying: UnsafeRawPointer($0), ofType: UInt(kvo_type_bytes()))
          }
        }
        #expect(boxed(bytes) == boxed(others))
        g_bytes_unref(bytes)
        g_bytes_unref(others)
        withExtendedLifetime(token) {}
      }

      @Test("types and addresses are numbers and pointers")
      func types() throws {
        #expect(try roundTrip("type", UInt(kvo_type_int)) == UInt(kvo_type_int))
        #expect(model["address"] == nil)
        let address = UnsafeMutableRawPointer(bitPattern: 16)!
        #expect(try roundTrip("address", address) == address)
      }

      @Test("P42: a value that is refused has notified of nothing")
      func refusalIsSilent() throws {
        let lines = Lines()
        let token = try model.observe(
          "page-size", options: [.new, .prior], changeHandler: lines.writer())
        #expect(refuses(1001, "page-size"))
        #expect(lines.take() == [])
        withExtendedLifetime(token) {}
      }
    }
  }
#endif
