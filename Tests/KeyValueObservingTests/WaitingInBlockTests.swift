import KeyValueObserving
import TestSupport
import Testing

extension AllTests {
  /// Changes of the last key of a path in an open mutation block of an intermediate property, which wait for a running
  /// delivery: each is the old value of the block's change, as it was when it was made.
  @Suite("Changes that wait in a block of an intermediate property")
  struct WaitingInBlockTests {
    private let team = Squad()
    private let first = Squad()

    init() { team.next = first }

    /// The changes that an observer of a path receives, whose handler acts in the first one.
    private func changes<Value>(
      of keyPath: KeyPath<Squad, Value>, _ options: KeyValueObservation.Options,
      after start: () -> Void, in handler: @escaping () -> Void
    ) -> [String] {
      var (log, isFirst) = ([String](), true)
      let token = team.observe(keyPath, options: options) { _, change in
        log.append("\(change)")
        if !isFirst || change.isPrior { return }
        isFirst = false
        handler()
      }
      start()
      token.invalidate()
      return log
    }

    @Test("P11, P19: so it is where no observer requests new values, and the key is set again")
    func oldValues() {
      let changes = changes(of: \.next?.base, .old, after: { first.base = 3 }) { [team, first] in
        team.withMutation(of: \.next) { first.base = 1 }
        first.base = 2
      }
      #expect(
        changes == [
          "setting from 0", "setting from 3", "setting from 1, path changed", "setting from 1",
        ])
    }

    @Test("P11, P19, P35: so it is after an edit, and the collection is set again")
    func edit() {
      let changes = changes(
        of: \.next?.names, [.old, .new], after: { first.names = ["b"] }
      ) { [team, first] in
        team.withMutation(of: \.next) { first.mutableArrayValue(for: \.names).insert("x", at: 0) }
        first.names = ["z"]
      }
      #expect(
        changes == [
          #"setting from ["a"] to ["b"]"#, #"insertion of ["x"] at 0"#,
          #"setting from ["x", "b"] to ["x", "b"], path changed"#,
          #"setting from ["x", "b"] to ["z"]"#,
        ])
    }

    @Test("P2, P11, P24: a prior notification in the block begins with the value of then")
    func prior() {
      let second = Squad()
      first.next = second
      let changes = changes(
        of: \.next?.next?.base, [.old, .new, .prior], after: { second.base = 3 }
      ) { [team, first] in
        team.withMutation(of: \.next) {
          second.base = 1
          first.next = second
        }
      }
      #expect(
        changes == [
          "prior setting from 0", "setting from 0 to 3", "prior setting from 3, path changed",
          "prior setting from 3", "prior setting from 1, path changed", "setting from 3 to 1",
          "setting from 1 to 1, path changed", "setting from 1 to 1, path changed",
        ])
    }
  }
}

@KeyValueObservable
private final class Squad {
  var base = 0
  var next: Squad?
  var names = ["a"]
}
