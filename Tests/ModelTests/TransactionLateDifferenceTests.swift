import KeyValueObserving
import Testing

// Observations that are registered in a transaction (P53).
extension TransactionDifferenceTests {
  @Test(
    "P44, P53: a path that has come back receives no change that only a late observer has found")
  func lateObserverOfFormerPath() {
    let third = items[2]
    third.friend = branch
    first.next = third
    let token = observe("path", first, \.next?.echo)
    var late: KeyValueObservation?
    try? withKeyValueTransaction {
      first.next = branch
      branch.friend = branch
      try withKeyValueTransaction {
        branch.x = 2
        late = observe("late", third, \.echo)
        throw Refusal()
      }
    }
    #expect(take() == ["late: setting from 2 to 0"])
    branch.friend = nil
    withExtendedLifetime((token, late)) {}
  }
}
