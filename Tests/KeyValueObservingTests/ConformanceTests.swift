import KeyValueObserving
import KeyValueObservingTesting
import Testing

extension AllTests {
  /// The checks that others run against their classes, run against ours.
  @Suite("Conformance of every kind")
  struct ConformanceTests {
    @Test(
      "every kind passes the checks of the conformance kit, observed by closure and by observer",
      arguments: KeyValueConformanceCheck.all, Kind.allCases)
    func kinds(check: KeyValueConformanceCheck, kind: Kind) {
      for surface in [KeyValueConformanceSurface.closure, .observer] {
        check.expect(
          of: KeyValueConformanceSource(
            key: "name", values: ("a", "b", "c"), link: "child", surface: surface
          ) { kind.make().object })
      }
    }
  }
}
