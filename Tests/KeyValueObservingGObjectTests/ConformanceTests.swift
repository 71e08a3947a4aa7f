#if GObject
  import CGObjectModels
  import KeyValueObservingGObject
  import KeyValueObservingTesting
  import Testing

  extension GObjectTests {
    @Suite("Conformance of GObjects")
    struct ConformanceTests {
      private static func source(
        _ key: String, _ values: (Any, Any, Any), link: String? = nil,
        surface: KeyValueConformanceSurface = .closure
      ) -> KeyValueConformanceSource {
        KeyValueConformanceSource(
          key: key, values: values, link: link, surface: surface,
          changeByItself: { object, key, value in
            let object = object as! GObjectSource
            object.withPointer { set($0, GObjectKey<Any>(key).propertyName, value) }
          },
          isObserved: { object, key in
            (object as! GObjectSource).withPointer {
              kvo_is_notified($0, GObjectKey<Any>(key).propertyName) != 0
            }
          }
        ) { makeModel() }
      }

      /// Sets a property as C does.
      private static func set(_ object: UnsafeMutableRawPointer, _ property: String, _ value: Any?)
      {
        switch value {
        case let text as String: kvo_set_string(object, property, text)
        case let number as Double: kvo_set_double(object, property, number)
        case let number as Int32: kvo_set_int(object, property, number)
        default: kvo_set_object(object, property, (value as? GObjectSource)?.pointer)
        }
      }

      @Test("a GObject keeps the contract", arguments: KeyValueConformanceCheck.all)
      func text(check: KeyValueConformanceCheck) {
        check.expect(of: Self.source("name", ("a", "b", "c"), link: "child"))
      }

      @Test(
        "so does one that is observed with reasons, whose key is spelled as in Swift",
        arguments: KeyValueConformanceCheck.all)
      func numbers(check: KeyValueConformanceCheck) {
        check.expect(
          of: Self.source("pageSize", (1.0, 2.0, 3.0), link: "child", surface: .observer))
      }

      @Test(
        "so does a property that notifies explicitly, and one of an interface",
        arguments: KeyValueConformanceCheck.all)
      func others(check: KeyValueConformanceCheck) {
        check.expect(of: Self.source("title", ("a", "b", "c")))
        check.expect(of: Self.source("item_id", (Int32(1), Int32(2), Int32(3))))
      }
    }
  }
#endif
