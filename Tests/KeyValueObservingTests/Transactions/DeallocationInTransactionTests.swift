import KeyValueObserving
import Testing

@KeyValueObservable
private class Crate {
  weak var owner: Crate?
  @KeyValueIgnored var weight = 0
  var ownersWeight: Int { owner?.weight ?? -1 }
  var label = 0
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
}
