#if GObject
  import CGObject
  import CGObjectModels
  import KeyValueObservingCore
  import KeyValueObservingGObject
  import Testing

  extension GObjectTests {
    /// Tests that GLib and its other bindings have of their own notifications, as far as observing
    /// depends on them.
    @Suite("Behavior of GLib")
    struct PeerTests {
      private let lines = Lines()
      private let model = makeModel()

      private func observe(_ key: String) throws -> KeyValueObservation {
        try model.observe(key, options: [.old, .new], changeHandler: lines.writer(key))
      }

      private func connect(
        _ notify:
          @convention(c) (
            UnsafeMutablePointer<CGObject.GObject>?, UnsafeMutablePointer<GParamSpec>?,
            UnsafeMutableRawPointer?
          ) -> Void
      ) -> gulong {
        kvo_connect_notify(
          model.pointer, g_signal_lookup("notify", kvo_type_object), g_quark_from_string("double"),
          notify, nil, nil)
      }

      @Test("properties that are set with one call are all set before any is delivered")
      func severalAtOnce() throws {
        let token = try model.observe("double") { model, _ in
          self.lines.write("\(model["int32"] ?? "nil")")
        }
        kvo_set_double_and_int(model.pointer, 1, 2)
        #expect(lines.take() == ["2"])
        withExtendedLifetime(token) {}
      }

      @Test("keys are delivered in the order in which they changed, at thaw")
      func orderAtThaw() throws {
        let tokens = [try observe("int32"), try observe("double")]
        g_object_freeze_notify(model.instance)
        kvo_set_double(model.pointer, "double", 1)
        kvo_set_int(model.pointer, "int32", 1)
        kvo_set_double(model.pointer, "double", 2)
        g_object_thaw_notify(model.instance)
        let order = lines.take()
        #expect(
          Set(order) == ["double: setting from 0.0 to 2.0", "int32: setting from 0 to 1"])
        withExtendedLifetime(tokens) {}
      }

      @Test("a callback that freezes the object, sets it and thaws it is delivered what it set")
      func freezeInCallback() throws {
        let token = try model.observe("double", options: [.old, .new]) { model, change in
          self.lines.write("\(change)")
          guard change.newValue as? Double == 1 else { return }
          g_object_freeze_notify(model.instance)
          kvo_set_double(model.pointer, "double", 2)
          kvo_set_double(model.pointer, "double", 3)
          g_object_thaw_notify(model.instance)
        }
        kvo_set_double(model.pointer, "double", 1)
        #expect(lines.take() == ["setting from 0.0 to 1.0", "setting from 1.0 to 3.0"])
        withExtendedLifetime(token) {}
      }

      @Test("a notification that another handler stops is not delivered, and the next one chains")
      func stoppedEmission() throws {
        let handler = connect { object, _, _ in
          if kvo_get_double(object, "double") == 1 {
            g_signal_stop_emission_by_name(object, "notify::double")
          }
        }
        let token = try observe("double")
        kvo_set_double(model.pointer, "double", 1)
        #expect(lines.take() == [])
        kvo_set_double(model.pointer, "double", 2)
        #expect(lines.take() == ["double: setting from 0.0 to 2.0"])
        g_signal_handler_disconnect(model.pointer, handler)
        withExtendedLifetime(token) {}
      }

      @Test("a set by a handler in C that was called before is part of the change")
      func recursion() throws {
        let handler = connect { object, _, _ in
          if kvo_get_double(object, "double") == 1 { kvo_set_double(object, "double", 2) }
        }
        let token = try observe("double")
        kvo_set_double(model.pointer, "double", 1)
        #expect(lines.take() == ["double: setting from 0.0 to 2.0"])
        g_signal_handler_disconnect(model.pointer, handler)
        withExtendedLifetime(token) {}
      }

      @Test("an observation may end, and another begin, within a notification")
      func endsInNotification() throws {
        var (first, second): (KeyValueObservation?, KeyValueObservation?)
        first = try model.observe("double", options: .new) { model, change in
          self.lines.write("first: \(change)")
          first = nil
          second = try? model.observe(
            "double", options: .new, changeHandler: self.lines.writer("second"))
        }
        kvo_set_double(model.pointer, "double", 1)
        kvo_set_double(model.pointer, "double", 2)
        #expect(lines.take() == ["first: setting to 1.0", "second: setting to 2.0"])
        withExtendedLifetime((first, second)) {}
      }

      @Test("after dispose, which disconnects handlers, sets through the source are delivered")
      func disposed() throws {
        let token = try observe("double")
        g_object_run_dispose(model.instance)
        kvo_set_double(model.pointer, "double", 1)
        #expect(lines.take() == [])
        model["double"] = 2.0
        #expect(lines.take() == ["double: setting from 0.0 to 2.0"])
        token.invalidate()
        let again = try observe("double")
        kvo_set_double(model.pointer, "double", 3)
        #expect(lines.take() == ["double: setting from 2.0 to 3.0"])
        withExtendedLifetime(again) {}
      }

      @Test("a GObject that gets a reference in dispose lives on, and gets another source")
      func resurrected() throws {
        let object = kvo_model_new()!
        let pointer = UnsafeMutableRawPointer(object)
        kvo_model_on_dispose(object, { g_object_ref($0) }, pointer)
        let token = try GObjectSource.of(pointer).observe("double") { _, _ in }
        weak let source = GObjectSource.of(pointer)
        g_object_unref(pointer)
        #expect(source == nil)
        #expect(!token.isActive)
        let other = GObjectSource.of(pointer)
        let again = try other.observe("double", options: .new, changeHandler: lines.writer())
        kvo_set_double(pointer, "double", 1)
        #expect(lines.take() == ["setting to 1.0"])
        g_object_unref(pointer)
        withExtendedLifetime((again, other)) {}
      }

      @Test("notifications in dispose reach no observer of the object that ends")
      func notifiesInDispose() throws {
        let object = kvo_model_new()!
        let pointer = UnsafeMutableRawPointer(object)
        kvo_model_on_dispose(object, { kvo_set_double($0, "double", 1) }, pointer)
        let token = try GObjectSource.of(pointer).observe(
          "double", options: .new, changeHandler: lines.writer())
        g_object_unref(pointer)
        #expect(lines.take() == [])
        withExtendedLifetime(token) {}
      }

      @Test("a weak reference of C's is NULL where observers are notified of the end")
      func weakReferenceAtTheEnd() throws {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        var pointer: UnsafeMutableRawPointer? = object
        g_object_add_weak_pointer(object.assumingMemoryBound(to: CGObject.GObject.self), &pointer)
        let lines = lines
        let observer = try KeyValueObserver(
          source: GObjectSource.of(object), keyPath: "double", options: []
        ) { _, reason in lines.write("\(reason), \(kvo_model_live_count())") }
        g_object_unref(object)
        // The model of the test is left.
        #expect(lines.take() == ["sourceDeleted, 1"])
        #expect(pointer == nil)
        withExtendedLifetime(observer) {}
      }

      @Test("an object property that is read and set keeps as many references as before")
      func referenceCounts() throws {
        let child = makeModel()
        let before = child.instance.pointee.ref_count
        for _ in 0..<10 {
          model["child"] = child
          _ = model["child"]
          _ = model[.child]?[.name]
        }
        #expect(child.instance.pointee.ref_count == before + 1)
        model["child"] = nil
        #expect(child.instance.pointee.ref_count == before)
      }

      @Test("a warning of GLib's stops the tests")
      func warningsAreFatal() async throws {
        let result = try await #require(
          processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
          kvo_make_warnings_fatal()
          makeModel().withPointer { kvo_set_double($0, "page-size", 1001) }
        }
        let warning = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(warning.contains("out of range"))
      }
    }
  }
#endif
