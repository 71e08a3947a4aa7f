import KeyValueObserving
import KeyValueObservingTesting
import Testing

@Suite("Conformance kit")
struct ConformanceKitTests {
  private static func source(
    _ mistake: BrokenNode.Mistake, surface: KeyValueConformanceSurface = .closure
  ) -> KeyValueConformanceSource {
    KeyValueConformanceSource(
      key: "name", values: ("a", "b", "c"), link: "next", surface: surface
    ) { BrokenNode(mistake) }
  }

  /// The promises that a kind breaks, in the order of the checks.
  private static func broken(_ source: KeyValueConformanceSource) -> [String] {
    KeyValueConformanceCheck.all.filter { !$0.failures(of: source).isEmpty }.map(\.promise)
  }

  @Test("a class without a mistake passes every check")
  func correct() {
    #expect(Self.broken(Self.source(.none)) == [])
  }

  @Test(
    "each usual mistake of a class written by hand is found by the promise it breaks",
    arguments: [
      (BrokenNode.Mistake.silentSetter, "P2"), (.notifiesFirst, "P8"), (.staleOld, "P2"),
      (.silentLink, "P21"), (.silentKey, "P21"), (.retainsItself, "P33"), (.dropsEqual, "P9"),
      (.ignoresThird, "P43"), (.silentSetter, "P44"), (.neverReturns, "P45"),
      (.silentSetter, "P46"), (.staleOld, "P47"), (.ignoresThird, "P48"), (.neverReturns, "P50"),
      (.silentSetter, "P49"), (.retainsItself, "P51"),
      (.neverReturns, "P52"), (.ignoresThird, "P53"), (.retainsItself, "P54"),
      (.ignoresThird, "P55"), (.silentSetter, "P56"), (.silentSetter, "P57"),
    ])
  func mistakes(mistake: BrokenNode.Mistake, promise: String) {
    #expect(Self.broken(Self.source(mistake)).contains(promise))
  }

  @Test(
    "each usual mistake of a surface is found by the promise it breaks",
    arguments: [
      ("forgets initial", "P3"), ("ends all", "P4"), ("accepts anything", "P6"),
      ("last first", "P10"), ("receives late", "P13"), ("needs a callback to end", "P31"),
      ("keeps its closures", "P32"), ("retains", "P33"),
    ])
  func surfaces(mistake: String, promise: String) {
    #expect(Self.broken(Self.source(.none, surface: .broken(by: mistake))).contains(promise))
  }

  private static func source(_ mistake: BrokenSource.Mistake) -> KeyValueConformanceSource {
    KeyValueConformanceSource(
      key: "name", values: ("a", "b", "c"), link: "next",
      changeByItself: { ($0 as? BrokenSource)?.change($1, to: $2) },
      isObserved: { ($0 as? BrokenSource)?.listened[$1, default: 0] == 1 }
    ) { BrokenSource(mistake) }
  }

  @Test("P70, P72, P73: a class that reports its changes afterwards passes every check")
  func correctReports() {
    #expect(Self.broken(Self.source(BrokenSource.Mistake.none)) == [])
  }

  @Test(
    "P70, P72, P73: each usual mistake of such a class is found by the promise it breaks",
    arguments: [
      (BrokenSource.Mistake.keepsListening, "P70"), (.listensAgain, "P70"),
      (.reportsNewAsOld, "P72"), (.reportsBefore, "P73"), (.readsPastRegistrar, "P73"),
    ])
  func mistakesInReports(mistake: BrokenSource.Mistake, promise: String) {
    #expect(Self.broken(Self.source(mistake)).contains(promise))
  }

  @Test("a failure names the promise, and shows expected and found")
  func message() {
    let found = failures {
      KeyValueConformanceCheck.all.first { $0.promise == "P9" }?.expect(
        of: Self.source(.dropsEqual))
    }
    #expect(
      found == [
        """
        P9: an equal assignment is a change
        after an equal set: the changes differ from those expected ('-' expected, but missing; '+' \
        found, but not expected).
          - setting from "a" to "a"
        """
      ])
  }

  @Test("a failure shows the options as a call spells them")
  func options() {
    let found = failures {
      KeyValueConformanceCheck.all.first { $0.promise == "P2" }?.expect(
        of: Self.source(.silentSetter))
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("\nwith the options []: the changes differ") == true)
    #expect(found.first?.contains("\nwith the options [.new, .old]: the changes differ") == true)
  }

  @Test("the checks leave no observation behind")
  func leftovers() {
    expectNoLiveObservations { #expect(Self.broken(Self.source(.none)) == []) }
  }
}
