#if GObject
  import CGObjectModels
  import KeyValueObservingGObject
  import KeyValueObservingTesting
  import Testing

  extension GObjectTests {
    @Suite("Conformance of GObjects")
    struct ConformanceTests {
      @Test("a GObject keeps the contract", arguments: KeyValueConformanceCheck.all)
      func text(check: KeyValueConformanceCheck) {
        check.expect(
          of: KeyValueConformanceSource(key: "name", values: ("a", "b", "c"), link: "child") {
            makeModel()
          })
      }

      @Test(
        "so does one that is observed with reasons, whose key is spelled as in Swift",
        arguments: KeyValueConformanceCheck.all)
      func numbers(check: KeyValueConformanceCheck) {
        check.expect(
          of: KeyValueConformanceSource(
            key: "pageSize", values: (1.0, 2.0, 3.0), link: "child", surface: .observer
          ) { makeModel() })
      }

      @Test(
        "so does a property that notifies explicitly, and one of an interface",
        arguments: KeyValueConformanceCheck.all)
      func others(check: KeyValueConformanceCheck) {
        check.expect(
          of: KeyValueConformanceSource(key: "title", values: ("a", "b", "c")) { makeModel() })
        check.expect(
          of: KeyValueConformanceSource(key: "item_id", values: (Int32(1), Int32(2), Int32(3))) {
            makeModel()
          })
      }
    }
  }
#endif
