import Testing

@testable import KeyValueObservingFoundation

/// The values that the instances of a suite know of, without threads.
@Suite("Watched values of user defaults") struct WatchedValueTests {
  private static func watched() -> (values: WatchedValues, last: WatchedValues.Last) {
    var values = WatchedValues()
    values.watch("key", 0)
    return (values, values.last("key")!)
  }

  @Test("P11: a value is not kept that was read before another set was over")
  func overtakenSet() {
    var (values, last) = Self.watched()
    values.beginChange(of: "key")
    values.beginChange(of: "key")
    let isFirstKept = values.endChange(of: "key", since: last, to: 1)
    let isOvertakenKept = values.endChange(of: "key", since: last, to: 0)
    #expect(isFirstKept && !isOvertakenKept)
    #expect(values.last("key")?.value as? Int == 1)
    last = values.last("key")!
    let isReadAgainKept = values.endChange(of: "key", since: last, to: 2)
    #expect(isReadAgainKept)
    #expect(values.last("key")?.value as? Int == 2)
  }

  @Test("P11: a change by others is delivered neither while a set is made, nor once a set is over")
  func refreshBesideSet() {
    var (values, last) = Self.watched()
    values.beginChange(of: "key")
    let beginsInSet = values.beginRefresh(of: "key", since: last)
    let isKept = values.endChange(of: "key", since: last, to: 1)
    let beginsAfterSet = values.beginRefresh(of: "key", since: last)
    last = values.last("key")!
    let beginsAnew = values.beginRefresh(of: "key", since: last)
    #expect(!beginsInSet && isKept && !beginsAfterSet && beginsAnew)
  }

  @Test("P11: the value of a set is kept that is made while a change by others is delivered")
  func setInRefresh() {
    var (values, last) = Self.watched()
    let begins = values.beginRefresh(of: "key", since: last)
    values.beginChange(of: "key")
    let isKept = values.endChange(of: "key", since: last, to: 2)
    values.endRefresh(of: "key", since: last, to: 1)
    #expect(begins && isKept)
    last = values.last("key")!
    #expect(last.value as? Int == 2)
  }
}
