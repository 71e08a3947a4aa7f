// Behaviors of GLib, from `gobject/tests/bindinggroup.c` and `gobject/tests/properties.c`
// (`notify`, `notify_queue`).
//
// Not ours: a group rejects names of properties that do not exist when it is given a source; here
// key paths are checked by the compiler. Its source is no observable key. A frozen GObject notifies
// in the reverse order of the first changes, and of one object; here the order is that of the
// changes (P46), of all objects. Constructing objects from lists of names, and getting values into
// containers, are no part of transactions.

import KeyValueObserving
import Testing

@KeyValueObservable
private final class Valve {
  var foo = 0
  var bar = 0
  var degrees = 0.0
  var label = ""
}

extension PeerBehavior {
  @Suite struct GLibBindingGroups {
    private let source = Valve()
    private let targets = (0..<5).map { _ in Valve() }

    @Test("P68: all targets follow a source, which is removed and set again")
    func oneWay() {
      let group = KeyValueBindingGroup<Valve>()
      for target in targets { group.bind(\.foo, to: target, \.bar, .oneWay) }
      #expect(group.source == nil)
      group.source = source
      for value in [42, 43] {
        #expect(group.source === source)
        source.foo = value
        #expect(targets.map(\.bar) == Array(repeating: value, count: 5))
        targets[0].bar = 47
        #expect(source.foo == value)
        group.source = nil
        #expect(group.source == nil)
        #expect(targets[0].bar == 47)
        group.source = source
        #expect(targets[0].bar == value)
      }
    }

    @Test(
      "P65, P68: a value that one target is set to goes to the source, and to all other targets")
    func bothWays() {
      let group = KeyValueBindingGroup<Valve>()
      for target in targets { group.bind(\.degrees, to: target, \.degrees) }
      group.source = source
      source.degrees = 42
      #expect(targets.map(\.degrees) == Array(repeating: 42, count: 5))
      targets[3].degrees = 47
      #expect(source.degrees == 47)
      #expect(targets.map(\.degrees) == Array(repeating: 47, count: 5))
    }

    @Test("P68: a group that is released binds nothing, and leaves all values")
    func released() {
      var group: KeyValueBindingGroup<Valve>? = KeyValueBindingGroup()
      for target in targets { group?.bind(\.foo, to: target, \.bar) }
      group?.source = source
      source.foo = 1
      group = nil
      source.foo = 2
      targets[0].bar = 3
      #expect(source.foo == 2)
      #expect(targets.map(\.bar) == [3, 1, 1, 1, 1])
    }

    @Test("P66, P68: a converter is kept while there is no source, and released with the group")
    func converter() {
      final class Offset { let value = 32.0 }
      weak var offset: Offset?
      var group: KeyValueBindingGroup<Valve>? = KeyValueBindingGroup()
      group?.source = source
      do {
        let captured = Offset()
        offset = captured
        group?.bind(
          \.degrees, to: targets[0], \.degrees,
          converting: KeyValueConverter(
            to: { $0 + captured.value }, from: { $0 - captured.value }))
      }
      source.degrees = 24
      #expect(targets[0].degrees == 56)
      targets[0].degrees = 69
      #expect(source.degrees == 37)
      group?.source = nil
      #expect(offset != nil)
      group = nil
      #expect(offset == nil)
    }

    @Test("P68: a target may be the source itself, whether it is bound before or after it is set")
    func sameObject() {
      (source.foo, source.bar) = (100, 50)
      let group = KeyValueBindingGroup<Valve>()
      group.source = source
      group.bind(\.foo, to: source, \.bar)
      #expect(source.bar == 100)
      for value in [10, 20] {
        source.foo = value
        #expect(source.bar == value)
        source.bar = value + 1
        #expect(source.foo == value + 1)
        group.source = nil
        group.source = source
      }
    }

    @Test("P68: a source is held weakly, and a target changes alone when it is gone")
    func weakSource() {
      let group = KeyValueBindingGroup<Valve>()
      weak var former: Valve?
      do {
        let source = Valve()
        former = source
        group.source = source
        group.bind(\.degrees, to: targets[0], \.degrees)
      }
      #expect(former == nil)
      #expect(group.source == nil)
      targets[0].degrees = 1
      #expect(targets[0].degrees == 1)
      group.source = source
      #expect(targets[0].degrees == 0)
    }

    @Test("P67, P68: targets are not retained, and the others follow when one is gone")
    func weakTarget() {
      let group = KeyValueBindingGroup<Valve>()
      group.source = source
      weak var former: Valve?
      do {
        let target = Valve()
        former = target
        group.bind(\.degrees, to: target, \.degrees)
        group.bind(\.degrees, to: targets[0], \.degrees)
        source.degrees = 47
        #expect(target.degrees == 47)
      }
      #expect(former == nil)
      source.degrees = 1
      #expect(targets[0].degrees == 1)
      group.source = Valve()
      group.source = source
      #expect(targets[0].degrees == 1)
    }

    @Test("P68: a group without bindings, or without a source, retains nothing")
    func empty() {
      weak var formerSource: Valve?
      weak var formerTarget: Valve?
      let (unbound, sourceless) = (KeyValueBindingGroup<Valve>(), KeyValueBindingGroup<Valve>())
      do {
        let (source, target) = (Valve(), Valve())
        (formerSource, formerTarget) = (source, target)
        unbound.source = source
        sourceless.bind(\.foo, to: target, \.foo)
        #expect(unbound.source === source)
      }
      #expect(formerSource == nil)
      #expect(formerTarget == nil)
      sourceless.source = source
      #expect(source.foo == 0)
      withExtendedLifetime(unbound) {}
    }
  }

  @Suite struct GLibFrozenNotifications {
    private let journal = Journal()
    private let valve = Valve()

    @Test("P46: each property that was set is notified once, in the order of the first changes")
    func queue() {
      journal.follow(valve, \.label)
      journal.follow(valve, \.bar)
      journal.follow(valve, \.foo)
      withKeyValueTransaction {
        valve.foo = 47
        valve.bar = 1
        valve.foo = 42
        valve.label = "abc"
        #expect(journal.take() == [])
      }
      #expect(journal.take() == ["foo 0→42", "bar 0→1", "label →abc"])
    }

    @Test("P9, P45: a set to an equal value notifies, unless the observation is distinct")
    func equalValue() {
      valve.label = "same"
      journal.follow(valve, \.label)
      journal.follow(valve, \.label, as: "distinct", [.old, .new, .distinct])
      valve.label = "same"
      withKeyValueTransaction { valve.label = "same" }
      #expect(journal.take() == ["label same→same", "label same→same"])
    }

    @Test("P52: transactions are nested as deeply as calls are")
    func deeplyNested() {
      journal.follow(valve, \.foo)
      func add(_ count: Int) {
        withKeyValueTransaction {
          valve.foo += 1
          if count > 1 { add(count - 1) }
        }
      }
      add(1000)
      #expect(journal.take() == ["foo 0→1000"])
    }

    @Test("P52: each level of nested transactions takes back its own changes")
    func nestedRollBacks() {
      journal.follow(valve, \.foo)
      func add(_ count: Int) {
        let former = valve.foo
        try? withKeyValueTransaction {
          valve.foo += 1
          if count > 1 { add(count - 1) }
          // The level inside of an odd one keeps its set, and takes back those inside of it.
          #expect(valve.foo == former + (count > 1 && count % 2 == 1 ? 2 : 1))
          if count % 2 == 1 { throw Refused() }
        }
      }
      add(10)
      #expect(valve.foo == 1)
      #expect(journal.take() == ["foo 0→1"])
    }
  }
}
