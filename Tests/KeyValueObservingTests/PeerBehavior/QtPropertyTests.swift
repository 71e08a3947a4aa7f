// Behaviors of Qt's bindable properties, from
// `tests/auto/corelib/kernel/qproperty/tst_qproperty.cpp`: the tests of update groups (`grouped…`,
// `bindingGroup…`), and those of notifications that a group touches.
//
// Not ours: a computed property has its former value until a group ends; here getters return
// present values (P44). A property is no object of its own, so none is destroyed, moved or bound to
// a function while it is in a group. Qt's groups have no errors, and take nothing back.

import KeyValueObserving
import Testing

/// `sum` reads one property along two ways and another one directly.
@KeyValueObservable
private final class Diamond {
  var base = 0
  var extra = 0
  var left: Int { base }
  var right: Int { base }
  var sum: Int { left + right + extra }
}

@KeyValueObservable
private final class Switch {
  var isOn = true
  var first = 1
  var second = 2
  var shown: Int { isOn ? first : second }
}

extension PeerBehavior {
  @Suite struct QtUpdateGroups {
    private let journal = Journal()
    private let diamond = Diamond()

    @Test("P44, P46: a computed key changes once for a group, and is present inside it")
    func groupedNotifications() {
      journal.follow(diamond, \.sum)
      withKeyValueTransaction {
        diamond.base = 1
        #expect((diamond.left, diamond.right, diamond.sum) == (1, 1, 2))
        #expect(journal.take() == [])
      }
      #expect(journal.take() == ["sum 0→2"])
      withKeyValueTransaction {
        diamond.base = 2
        diamond.extra = 3
        #expect(journal.take() == [])
      }
      #expect(journal.take() == ["sum 2→7"])
    }

    @Test("P22: without a group, a diamond of computed keys changes once for each set")
    func noDoubleNotification() {
      journal.follow(diamond, \.sum)
      diamond.base = 1
      diamond.base = 2
      #expect(journal.take() == ["sum 0→2", "sum 2→4"])
    }

    @Test("P24: an observer of one property sees the other one, which was set later in the group")
    func groupedNotificationConsistency() {
      diamond.observe(\.base) { diamond, _ in
        journal.write(diamond.base == diamond.extra ? "equal" : "different")
      }.store(in: &journal.tokens)
      diamond.base = 1
      diamond.extra = 1
      #expect(journal.take() == ["different"])
      withKeyValueTransaction {
        diamond.base = 2
        diamond.extra = 2
      }
      #expect(journal.take() == ["equal"])
    }

    @Test("P44, P53: a change outlives the storage of observers, which grows in the group")
    func growingStorage() {
      journal.follow(diamond, \.base)
      withKeyValueTransaction {
        diamond.base = 42
        for _ in 0..<100 {
          diamond.observe(\.base) { _, _ in journal.write("late base") }.store(in: &journal.tokens)
          diamond.observe(\.extra) { _, _ in journal.write("extra") }.store(in: &journal.tokens)
        }
      }
      #expect(journal.take() == ["base 0→42"])
      diamond.extra = 1
      #expect(journal.take().count == 100)
    }

    @Test("P53: an observation of a computed key that ends in the group is not notified")
    func endedInGroup() {
      let ended = journal.follow(diamond, \.sum, as: "ended")
      journal.follow(diamond, \.sum)
      withKeyValueTransaction {
        diamond.base = 1
        ended.invalidate()
        diamond.extra = 1
      }
      #expect(journal.take() == ["sum 0→3"])
    }

    @Test("P54: an object that was changed lives until its observers are notified, and no longer")
    func objectReleasedInGroup() {
      weak var former: Diamond?
      withKeyValueTransaction {
        let diamond = Diamond()
        former = diamond
        journal.follow(diamond, \.sum)
        diamond.base = 1
      }
      #expect(journal.take() == ["sum 0→2"])
      #expect(former == nil)
    }

    @Test("P13: an observer that ends another one during the delivery of a group")
    func observersChangeWhileIterating() {
      var second: KeyValueObservation?
      diamond.observe(\.base) { diamond, _ in
        journal.write("first")
        second?.invalidate()
        journal.follow(diamond, \.base, as: "added")
      }.store(in: &journal.tokens)
      second = journal.follow(diamond, \.base, as: "second")
      journal.follow(diamond, \.base, as: "third")
      withKeyValueTransaction {
        diamond.base = 1
        diamond.extra = 1
      }
      #expect(journal.take() == ["first", "third 0→1"])
    }

    @Test("P21, P46: a property that the getter stops reading in a group does not notify after it")
    func noFakeDependencies() {
      let lamp = Switch()
      journal.follow(lamp, \.shown)
      withKeyValueTransaction {
        lamp.first = 10
        lamp.isOn = false
        lamp.second = 20
      }
      #expect(journal.take() == ["shown 1→20"])
      lamp.first = 11
      withKeyValueTransaction { lamp.first = 12 }
      #expect(journal.take() == [])
      withKeyValueTransaction { lamp.second = 21 }
      #expect(journal.take() == ["shown 20→21"])
    }
  }
}
