import KeyValueObserving
import Testing

@KeyValueObservable
private class Crate {
  weak var owner: Crate?
  var next: Crate?
  @KeyValueIgnored var weight = 0
  var ownersWeight: Int { owner?.weight ?? -1 }
  var label = 0
  var sum: Int { ownersWeight + label }
}

@KeyValueObservable
private final class MarkedCrate: Crate {
  override var owner: Crate? {
    get { super.owner }
    set { super.owner = newValue }
  }
}

/// Objects that are deallocated in a transaction while a weak property holds them.
@Suite struct DeallocationInTransactionTests {
  private let recorder = Recorder()

  @Test("P54, P58: a binding writes unrecorded what a deallocation without recording changes")
  func unrecorded() {
    let (crate, other) = (Crate(), Crate())
    var owner: Crate? = Crate()
    crate.owner = owner
    let binding = crate.bind(\.ownersWeight, to: other, \.label, .oneWay)
    let history = KeyValueHistory(of: other)
    withKeyValueTransaction {
      history.withoutRecording { owner = nil }
    }
    #expect(other.label == -1)
    #expect(!history.canUndo)
    withExtendedLifetime((binding, owner)) {}
  }

  @Test("P22, P54: an overriding property notifies once of a deallocation")
  func overriding() {
    let crate = MarkedCrate()
    var owner: Crate? = Crate()
    crate.owner = owner
    let token = crate.observe(\.owner, options: .new) { [recorder] _, change in
      recorder.write((change.newValue ?? nil) == nil ? "nil" : "owner")
    }
    withKeyValueTransaction { owner = nil }
    #expect(recorder.take() == ["nil"])
    withExtendedLifetime((token, owner)) {}
  }

  @Test("P27, P47, P53: a deallocation in a transaction that is rolled back is notified of once")
  func rolledBack() {
    let crate = Crate()
    var owner: Crate? = Crate()
    owner?.weight = 11
    crate.owner = owner
    let tokens = [
      crate.observe(\.label, options: .prior) { _, change in
        if change.isPrior { owner = nil }
      },
      crate.observe(\.sum, options: [.old, .new], changeHandler: recorder.receives("sum")),
      crate.observe(
        \.sum, options: [.old, .new, .prior], changeHandler: recorder.receives("prior")),
    ]
    try? withKeyValueTransaction {
      crate.label = 1
      throw Refused()
    }
    #expect(
      recorder.take() == [
        "prior 11→ prior", "prior 11→11", "sum 11→-1", "prior 11→-1",
      ])
    withExtendedLifetime((tokens, owner)) {}
  }

  @Test(
    "P11, P27, P44: a block of a computed key before or after a deallocation chains with that",
    arguments: [false, true])
  func blockOfComputedKey(isBefore: Bool) {
    let crate = Crate()
    var owner: Crate? = Crate()
    owner?.weight = 11
    crate.owner = owner
    let token = crate.observe(
      \.ownersWeight, options: [.old, .new], changeHandler: recorder.receives("key"))
    withKeyValueTransaction {
      if isBefore { crate.withMutation(of: \.ownersWeight) {} }
      owner = nil
      if !isBefore { crate.withMutation(of: \.ownersWeight) {} }
    }
    #expect(recorder.take() == ["key 11→-1", "key -1→-1"])
    withExtendedLifetime((token, owner)) {}
  }

  @Test("P11, P27, P44: a set after a deallocation follows a change that is being delivered")
  func setInDelivery() {
    let (crate, next) = (Crate(), Crate())
    var owner: Crate? = Crate()
    owner?.label = 11
    next.owner = owner
    let tokens = [
      crate.observe(\.next) { _, _ in
        withKeyValueTransaction {
          owner = nil
          next.owner = nil
        }
      },
      crate.observe(
        \.next?.owner?.label, options: [.old, .new], changeHandler: recorder.receives("path")),
    ]
    crate.next = next
    #expect(recorder.take() == ["path nil→11 path", "path 11→nil path"])
    withExtendedLifetime((tokens, owner)) {}
  }
}
