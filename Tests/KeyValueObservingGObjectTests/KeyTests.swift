#if GObject
  import CGObject
  import CGObjectModels
  import KeyValueObservingGObject
  import Synchronization
  import Testing

  extension GObjectTests {
    @Suite("Keys")
    struct KeyTests {
      private let lines = Lines()
      private let model = makeModel()

      /// The error that a call throws.
      private func error(_ body: () throws -> Void) -> String {
        do {
          try body()
          return "nothing"
        } catch {
          return "\(error)"
        }
      }

      @Test("every spelling of a key names the same property, and shares its observers")
      func spellings() throws {
        let tokens = try ["page-size", "page_size", "pageSize"].map {
          try model.observe($0, options: [.old, .new], changeHandler: lines.writer($0))
        }
        model["pageSize"] = 1
        model["page_size"] = 2
        kvo_set_double(model.pointer, "page-size", 3)
        let changes = [
          "setting from 0.0 to 1.0", "setting from 1.0 to 2.0", "setting from 2.0 to 3.0",
        ]
        #expect(
          lines.take()
            == changes.flatMap { change in
              ["page-size", "page_size", "pageSize"].map { "\($0): \(change)" }
            })
        for key in ["page-size", "page_size", "pageSize"] {
          #expect(model[key] as? Double == 3)
          #expect(try model.value(forKeyPath: key) as? Double == 3)
        }
        withExtendedLifetime(tokens) {}
      }

      @Test(
        "the spelling of GLib is made of every other",
        arguments: [
          ("page_size", "page-size"), ("pageSize", "page-size"), ("page-size", "page-size"),
          ("baseURL", "base-url"), ("URLList", "url-list"), ("value", "value"), ("", ""),
          ("x1Offset", "x1-offset"), ("Größe", "größe"), ("_a", "-a"),
        ])
      func canonical(key: String, name: String) {
        #expect(GObjectKey<Int>(key).propertyName == name)
        #expect(GObjectKey<Int>(key) == GObjectKey<Int>(name))
      }

      @Test("P6, P42: an undefined key is refused, with the nearest one")
      func undefined() {
        let sentence = "GObjectSource has no key 'pageSise'. Did you mean 'page-size'?"
        #expect(error { _ = try model.value(forKey: "pageSise") } == sentence)
        #expect(error { try model.setValue(1, forKey: "pageSise") } == sentence)
        #expect(error { _ = try model.observe("pageSise") { _, _ in } } == sentence)
        #expect(
          error { _ = try model.observe("child.pageSise") { _, _ in } } == "nothing",
          "The class of a child that is not there is not known.")
        model["child"] = makeModel()
        #expect(error { _ = try model.observe("child.pageSise") { _, _ in } } == sentence)
        #expect(error { _ = try model.observe("name.length") { _, _ in } }.contains("'name'"))
      }

      @Test("P42: read-only and construct-only keys refuse writing, each by its name")
      func readOnly() throws {
        #expect(
          error { try model.setValue(1, forKey: "count") }.hasPrefix(
            "GObjectSource.count: the property has no setter"))
        #expect(
          error { try model.setValue(1, forKey: "birth") }.hasPrefix(
            "GObjectSource.birth: the property has no setter"))
        #expect(try model.value(forKey: "birth") as? Int32 == 1970)
        let token = try model.observe(
          "count", options: [.old, .new], changeHandler: lines.writer())
        kvo_model_count(OpaquePointer(model.pointer))
        #expect(lines.take() == ["setting from 0 to 1"])
        withExtendedLifetime(token) {}
      }

      @Test("P42: write-only keys refuse reading and observing, and can be set")
      func writeOnly() throws {
        #expect(
          error { _ = try model.value(forKey: "secret") }.hasPrefix(
            "GObjectSource.secret: the property can be set, but"))
        #expect(
          error { _ = try model.observe("secret") { _, _ in } }
            .hasPrefix("GObjectSource.secret: the property can be set, but"))
        try model.setValue("a", forKey: "secret")
      }

      @Test("P42: several keys are set all or none")
      func all() throws {
        #expect(
          error { try model.setValues(["name": "a", "page-size": 1001]) }.contains("page-size"))
        #expect(model["name"] == nil)
        try model.setValues(["name": "a", "pageSize": 100, "child": nil])
        #expect(model["name"] as? String == "a")
        let values = try model.dictionaryWithValues(forKeys: ["name", "page-size"])
        #expect(values["page-size"] as? Double == 100)
      }

      @Test("typed keys read, set, and convert what loses nothing")
      func typed() {
        model[.pageSize] = 4
        #expect(model[.pageSize] == 4)
        #expect(model[GObjectKey<Int>("page-size")] == 4)
        model[GObjectKey<Int>("int32")] = 7
        #expect(model[.int32] == 7)
        model[.strings] = ["a", "b"]
        #expect(model[.strings] == ["a", "b"])
        model[GObjectKey<Kind>("kind")] = .fancy
        #expect(model[GObjectKey<Kind>("kind")] == .fancy)
        model[.child] = makeModel()
        model[.child]?[.name] = "a"
        #expect(model[.child]?[.name] == "a")
        #expect(try! model.value(forKeyPath: "child.name") as? String == "a")
        model[.child] = nil
        #expect(model[.child] == nil)
      }

      private enum Kind: Int32 {
        case plain
        case fancy = 5
      }

      @Test("a subscript that cannot do it is reported, and changes nothing")
      func reported() async {
        await #expect(processExitsWith: .success) {
          nonisolated(unsafe) var reports: [String] = []
          KeyValueDiagnostics.handler = { reports.append($0.message) }
          let model = makeModel()
          model["page-size"] = 1001
          model["nmae"] = 1
          model[.pageSize] = nil
          #expect(model["secret"] == nil)
          #expect(model[GObjectKey<String>("page-size")] == nil)
          let remedy = """
             Use value(forKey:) and setValue(_:forKey:), which throw, for input.
            """
          #expect(
            reports == [
              """
              KVOModel["page-size"]: the subscript has no effect, because 1001.0 is out of range. \
              Pass a number from 0.0 to 1000.0.
              """ + remedy,
              """
              KVOModel["nmae"]: the subscript has no effect, because GObjectSource has no key \
              'nmae'. Did you mean 'name'?
              """ + remedy,
              """
              KVOModel["page-size"]: the subscript has no effect, because the type Double has no \
              nil. Pass a value, or override setNilValueForKey(_:).
              """ + remedy,
              """
              KVOModel["secret"]: the subscript has no effect, because the property can be set, \
              but neither read nor observed. Read or observe another key of the object.
              """ + remedy,
              """
              KVOModel.page-size: 0.0 of type Double cannot be read as String, so the subscript \
              returns nil. Declare the key as GObjectKey<Double>.
              """,
            ])
        }
      }

      @Test("an object of a subclass has the keys of both classes, and its own type for each")
      func subclass() throws {
        let special = GObjectSource.taking(kvo_special_model_new())
        special["extra"] = 3
        special["name"] = "a"
        #expect(special["extra"] as? Int32 == 3)
        #expect(error { _ = try model.value(forKey: "extra") }.contains("no key 'extra'"))
        // The same path meets objects of both classes.
        let token = try model.observe("child.name", options: .new, changeHandler: lines.writer())
        for child in [makeModel(), special, makeModel(), special] { model["child"] = child }
        kvo_set_string(special.pointer, "name", "b")
        #expect(
          lines.take() == [
            "setting to nil, path changed", "setting to \"a\", path changed",
            "setting to nil, path changed", "setting to \"a\", path changed", "setting to \"b\"",
          ])
        withExtendedLifetime(token) {}
      }

      @Test("a key of an interface is one of every class that has it")
      func interface() throws {
        let token = try model.observe(
          "itemID", options: [.old, .new], changeHandler: lines.writer())
        kvo_set_int(model.pointer, "item-id", 9)
        model["item_id"] = 10
        #expect(lines.take() == ["setting from 0 to 9", "setting from 9 to 10"])
        #expect(error { try model.setValue(1001, forKey: "item-id") }.contains("from 0 to 1000"))
        withExtendedLifetime(token) {}
      }
    }
  }
#endif
