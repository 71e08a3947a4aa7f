#if GObject
  import CGObject
  import CGObjectModels
  import KeyValueObservingGObject
  import Testing

  extension GObjectTests {
    @Suite("Changes")
    struct ChangeTests {
      private let lines = Lines()
      private let model = makeModel()

      private func observe(
        _ key: String, _ options: KeyValueObservation.Options = [.old, .new]
      ) throws -> KeyValueObservation {
        try model.observe(key, options: options, changeHandler: lines.writer())
      }

      @Test(
        "P8, P72: a set in C is delivered before it returns, with the last delivered value as old one"
      )
      func setByC() throws {
        let token = try observe("double")
        kvo_set_double(model.pointer, "double", 1)
        #expect(lines.take() == ["setting from 0.0 to 1.0"])
        kvo_set_double(model.pointer, "double", 2)
        #expect(lines.take() == ["setting from 1.0 to 2.0"])
        withExtendedLifetime(token) {}
      }

      @Test("a notification without a change is silent")
      func silent() throws {
        let tokens = [try observe("double"), try observe("name"), try observe("strings")]
        kvo_set_double(model.pointer, "double", 0)
        g_object_notify(model.instance, "name")
        g_object_notify(model.instance, "strings")
        #expect(lines.take() == [])
        withExtendedLifetime(tokens) {}
      }

      @Test("P9, P43: a set through the source is delivered once, after a prior notification")
      func ownSet() throws {
        let token = try observe("double", [.old, .new, .prior])
        model["double"] = 1.0
        model["double"] = 1.0
        #expect(
          lines.take() == [
            "prior setting from 0.0", "setting from 0.0 to 1.0",
            "prior setting from 1.0", "setting from 1.0 to 1.0",
          ])
        withExtendedLifetime(token) {}
      }

      @Test("P9: a property that does not notify of equal values is delivered all the same")
      func explicitNotify() throws {
        let token = try observe("title")
        model["title"] = "a"
        model["title"] = "a"
        kvo_set_string(model.pointer, "title", "a")
        kvo_set_string(model.pointer, "title", "b")
        #expect(
          lines.take() == [
            "setting from nil to \"a\"", "setting from \"a\" to \"a\"",
            "setting from \"a\" to \"b\"",
          ])
        withExtendedLifetime(token) {}
      }

      @Test("P15: the new value is the one that the setter has stored")
      func corrected() throws {
        let token = try observe("even")
        model["even"] = 5
        #expect(lines.take() == ["setting from 0 to 4"])
        kvo_set_int(model.pointer, "even", 5)
        #expect(lines.take() == [])
        withExtendedLifetime(token) {}
      }

      @Test("P12: what another property becomes while one is set is delivered within")
      func dependentNotify() throws {
        let tokens = [
          try model.observe("upper", options: [.old, .new], changeHandler: lines.writer("upper")),
          try model.observe("value", options: [.old, .new], changeHandler: lines.writer("value")),
        ]
        kvo_set_double(model.pointer, "value", 50)
        model["upper"] = 10.0
        #expect(
          Set(lines.take()) == [
            "value: setting from 0.0 to 50.0", "value: setting from 50.0 to 10.0",
            "upper: setting from 100.0 to 10.0",
          ])
        withExtendedLifetime(tokens) {}
      }

      @Test("a frozen object delivers one change for each key when it is thawed")
      func frozen() throws {
        let tokens = [try observe("double"), try observe("int32")]
        g_object_freeze_notify(model.instance)
        g_object_freeze_notify(model.instance)
        for value in [1.0, 2, 3] { kvo_set_double(model.pointer, "double", value) }
        kvo_set_int(model.pointer, "int32", 1)
        kvo_set_int(model.pointer, "int32", 0)
        g_object_thaw_notify(model.instance)
        #expect(lines.take() == [])
        g_object_thaw_notify(model.instance)
        #expect(lines.take() == ["setting from 0.0 to 3.0"])
        withExtendedLifetime(tokens) {}
      }

      @Test("a set through the source of a frozen object is delivered at once, and not again")
      func ownSetWhileFrozen() throws {
        let token = try observe("double")
        g_object_freeze_notify(model.instance)
        model["double"] = 1.0
        #expect(lines.take() == ["setting from 0.0 to 1.0"])
        g_object_thaw_notify(model.instance)
        #expect(lines.take() == [])
        g_object_freeze_notify(model.instance)
        kvo_set_double(model.pointer, "double", 2)
        model["double"] = 3.0
        kvo_set_double(model.pointer, "double", 4)
        g_object_thaw_notify(model.instance)
        #expect(lines.take() == ["setting from 1.0 to 3.0", "setting from 3.0 to 4.0"])
        withExtendedLifetime(token) {}
      }

      @Test("a boxed value that is set through the source is delivered once, frozen or not")
      func boxed() throws {
        var color = KVOColor(red: 1, green: 0, blue: 0)
        let red = try #require(GObjectBoxed(copying: &color, ofType: UInt(kvo_color_get_type())))
        var count = 0
        let token = try model.observe("color") { _, _ in count += 1 }
        model["color"] = red
        #expect(count == 1)
        g_object_freeze_notify(model.instance)
        model["color"] = red
        g_object_thaw_notify(model.instance)
        #expect(count == 2)
        kvo_set_color(model.pointer, "color", 2)
        #expect(count == 3)
        withExtendedLifetime(token) {}
      }

      @Test("P11: a set from inside a callback waits, whether C or the source makes it")
      func reentrant() throws {
        let first = try model.observe("double", options: [.old, .new]) { model, change in
          self.lines.write("1: \(change)")
          if change.newValue as? Double == 1 { kvo_set_double(model.pointer, "double", 2) }
          if change.newValue as? Double == 2 { model["double"] = 3.0 }
        }
        let second = try model.observe(
          "double", options: [.old, .new], changeHandler: lines.writer("2"))
        kvo_set_double(model.pointer, "double", 1)
        #expect(
          lines.take() == [
            "1: setting from 0.0 to 1.0", "2: setting from 0.0 to 1.0",
            "1: setting from 1.0 to 2.0", "2: setting from 1.0 to 2.0",
            "1: setting from 2.0 to 3.0", "2: setting from 2.0 to 3.0",
          ])
        withExtendedLifetime((first, second)) {}
      }

      @Test("a set by a handler in C, within a set through the source, is part of that")
      func setWithinSet() throws {
        let handler = kvo_connect_notify(
          model.pointer, g_signal_lookup("notify", kvo_type_object), g_quark_from_string("double"),
          { object, _, _ in
            if kvo_get_double(object, "double") == 1 { kvo_set_double(object, "double", 9) }
          }, nil, nil)
        let token = try observe("double")
        model["double"] = 1.0
        #expect(lines.take() == ["setting from 0.0 to 9.0"])
        g_signal_handler_disconnect(model.pointer, handler)
        withExtendedLifetime(token) {}
      }

      @Test("P70: a source listens to a key while that is observed, and no longer")
      func listensWhileObserved() throws {
        func listens() -> Bool { kvo_is_notified(model.pointer, "double") != 0 }
        func reads(_ body: () -> Void) -> Int32 {
          let reads = kvo_model_reads(OpaquePointer(model.pointer))
          body()
          return kvo_model_reads(OpaquePointer(model.pointer)) - reads
        }
        #expect(!listens())
        let first = try observe("double")
        let second = try model.observe("double", options: [.old, .new]) { _, _ in }
        #expect(listens())
        // Once for both of them.
        #expect(reads { kvo_set_double(model.pointer, "double", 1) } == 1)
        first.invalidate()
        #expect(listens())
        second.invalidate()
        #expect(!listens())
        #expect(reads { kvo_set_double(model.pointer, "double", 2) } == 0)
        _ = lines.take()
        kvo_set_double(model.pointer, "double", 5)
        let third = try observe("double")
        kvo_set_double(model.pointer, "double", 6)
        #expect(lines.take() == ["setting from 5.0 to 6.0"])
        withExtendedLifetime(third) {}
      }

      @Test("P25, P73: a path over a link that C replaces has its former value as old one")
      func replacedLink() throws {
        func replace(_ value: Double?) {
          let child = value.map { _ in kvo_model_new()! }
          if let child, let value {
            kvo_set_double(UnsafeMutableRawPointer(child), "double", value)
          }
          kvo_set_object(model.pointer, "child", child.map { UnsafeMutableRawPointer($0) })
          if let child { g_object_unref(UnsafeMutableRawPointer(child)) }
        }
        replace(4)
        let token = try observe("child.double")
        let typed = model.observe(
          \.[.child]?[.double], options: [.old, .new], changeHandler: lines.writer("typed"))
        replace(5)
        kvo_set_double(model[.child]!.pointer, "double", 6)
        replace(nil)
        #expect(
          lines.take().sorted() == [
            "setting from 4.0 to 5.0, path changed", "setting from 5.0 to 6.0",
            "setting from 6.0 to nil, path changed",
            "typed: setting from 4.0 to 5.0, path changed", "typed: setting from 5.0 to 6.0",
            "typed: setting from 6.0 to nil, path changed",
          ])
        withExtendedLifetime((token, typed)) {}
      }

      @Test("P7, P21: paths and computed keys run from Swift objects into GObjects")
      func mixedPaths() throws {
        let screen = Screen()
        let tokens = [
          screen.observe(
            \.model?[.pageSize], options: [.old, .new], changeHandler: lines.writer("typed")),
          try screen.observe(
            "model.page-size", options: [.old, .new], changeHandler: lines.writer("text")),
          screen.observe(\.area, options: [.old, .new], changeHandler: lines.writer("area")),
        ]
        screen.model = model
        #expect(
          lines.take() == [
            "typed: setting from nil to 0.0, path changed",
            "text: setting from nil to 0.0, path changed", "area: setting from 0.0 to 0.0",
          ])
        kvo_set_double(model.pointer, "page-size", 3)
        #expect(
          lines.take().sorted() == [
            "area: setting from 0.0 to 3.0", "text: setting from 0.0 to 3.0",
            "typed: setting from 0.0 to 3.0",
          ])
        screen.model = nil
        kvo_set_double(model.pointer, "page-size", 4)
        #expect(lines.take().count == 3)
        withExtendedLifetime(tokens) {}
      }

      @Test("P33: no change is delivered after the end of the observation")
      func afterTheEnd() throws {
        let token = try observe("double")
        token.invalidate()
        kvo_set_double(model.pointer, "double", 1)
        model["double"] = 2.0
        #expect(lines.take() == [])
      }
    }
  }
#endif
