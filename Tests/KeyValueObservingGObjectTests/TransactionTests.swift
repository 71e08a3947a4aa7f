#if GObject
  import CGObject
  import CGObjectModels
  import KeyValueObserving
  import KeyValueObservingCore
  import KeyValueObservingGObject
  import Testing

  extension GObjectTests {
    /// Transactions in which GObjects are set through their sources.
    @Suite("Transactions")
    struct TransactionTests {
      private struct Failure: Error {}

      private let lines = Lines()
      private let model = makeModel()

      private func observe(_ key: String) throws -> KeyValueObservation {
        try model.observe(key, options: [.old, .new], changeHandler: lines.writer(key))
      }

      /// Connects a handler of C to `notify` of a property.
      private func connect(_ property: String, _ handler: Handler) -> gulong {
        kvo_connect_notify(
          model.pointer, g_signal_lookup("notify", kvo_type_object), g_quark_from_string(property),
          { _, _, handler in
            Unmanaged<Handler>.fromOpaque(handler!)._withUnsafeGuaranteedRef { $0.body() }
          }, Unmanaged.passRetained(handler).toOpaque(),
          { handler, _ in Unmanaged<Handler>.fromOpaque(handler!).release() })
      }

      private final class Handler {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
      }

      @Test("P74: handlers in C are called when the closure has ended, once for each property")
      func once() throws {
        let token = try observe("double")
        let (lines, pointer) = (lines, model.pointer)
        let handlers = [
          connect("double", Handler { lines.write("C: \(kvo_get_double(pointer, "double"))") }),
          connect("int32", Handler { lines.write("C: int32") }),
        ]
        withKeyValueTransaction {
          model["double"] = 1.0
          model["int32"] = 7
          model["double"] = 2.0
          lines.write("end")
        }
        let all = lines.take()
        #expect(all.first == "end" && all.last == "double: setting from 0.0 to 2.0")
        #expect(all.dropFirst().dropLast().sorted() == ["C: 2.0", "C: int32"])
        #expect(handlers.allSatisfy { $0 != 0 })
        withExtendedLifetime(token) {}
      }

      @Test("P74: what a handler in C sets then is delivered with the transaction")
      func setInHandler() throws {
        let tokens = [try observe("double"), try observe("int32")]
        let pointer = model.pointer
        _ = connect("double", Handler { kvo_set_int(pointer, "int32", 9) })
        withKeyValueTransaction {
          model["double"] = 1.0
          #expect(model["int32"] as? Int32 == 0)
        }
        #expect(
          lines.take() == ["double: setting from 0.0 to 1.0", "int32: setting from 0 to 9"])
        withExtendedLifetime(tokens) {}
      }

      @Test("P74: a boxed value that a transaction sets twice hides no later change")
      func boxed() throws {
        var color = KVOColor(red: 1, green: 0, blue: 0)
        let red = try #require(GObjectBoxed(copying: &color, ofType: UInt(kvo_color_get_type())))
        var count = 0
        let token = try model.observe("color") { _, _ in count += 1 }
        withKeyValueTransaction {
          model["color"] = red
          model["color"] = red
        }
        #expect(count == 1)
        #expect(kvo_is_frozen(model.pointer) == 0)
        kvo_set_color(model.pointer, "color", 2)
        #expect(count == 2)
        withExtendedLifetime(token) {}
      }

      @Test("P74: a rollback puts back what C has set while the GObject was frozen")
      func rollback() throws {
        let tokens = [try observe("double"), try observe("int32")]
        let (lines, pointer) = (lines, model.pointer)
        _ = connect("double", Handler { lines.write("C: \(kvo_get_double(pointer, "double"))") })
        #expect(throws: Failure.self) {
          try withKeyValueTransaction {
            model["double"] = 1.0
            kvo_set_int(model.pointer, "int32", 9)
            throw Failure()
          }
        }
        #expect(lines.take() == ["C: 1.0", "C: 0.0"])
        #expect(model["int32"] as? Int32 == 0)
        kvo_set_int(model.pointer, "int32", 3)
        #expect(lines.take() == ["int32: setting from 0 to 3"])
        withExtendedLifetime(tokens) {}
      }
    }
  }
#endif
