import KeyValueObserving
import Testing

/// Guarded by the macro.
@KeyValueObservable
private final class Tank: Sendable {
  var level = 0
  var limit = 0
  var rest: Int { limit - level }
  var twice: Int { limit * 2 }

  init(level: Int = 0) { self.level = level }
}

/// Its getter sets another object, once, while another thread sets the property that it reads.
@KeyValueObservable
private final class Dial: Sendable {
  var level = 0
  @KeyValueIgnored let other = Tank()
  var shown: Int {
    if level == 1, other.level == 0 {
      onThread { self.level = 2 }
      other.level = 1
    }
    return level
  }
}

/// Guarded likewise.
@KeyValueObservable
private final class Site: Sendable {
  var tank = Tank()
}

/// Guarded likewise.
@KeyValueObservable
private final class Region: Sendable {
  var site = Site()
}

/// Notifies manually of its array.
@KeyValueObservable
private final class Depot: @unchecked Sendable {  // used by one thread after the other
  var tanks = [Tank()]
  @KeyValueIgnored let other = Tank()
  var shown: Int {
    if tanks[0].level == 1, other.level == 0 {
      let tank = tanks[0]
      onThread { tank.level = 2 }
      other.level = 1
    }
    return tanks[0].level
  }
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "tanks" }
}

/// Changes that have waited on an actor, to which other threads hand over changes meanwhile.
@Suite @MainActor struct HandOverPositionTests {
  private let recorder = Recorder()

  @Test("P40, P48: what is handed over in a transaction's delivery waits for all keys of that")
  func setInTransaction() {
    let tank = Tank()
    let tokens = [
      tank.observe(\.level, options: [.old, .new]) { [recorder] tank, change in
        recorder.write("level", change)
        if change.newValue != 1 { return }
        onThread { tank.limit = 6 }
        tank.level = 3
      },
      tank.observe(\.limit, options: [.old, .new], changeHandler: recorder.receives("limit")),
    ]
    withKeyValueTransaction {
      tank.level = 1
      tank.limit = 5
    }
    #expect(recorder.take() == ["level 0→1", "level 1→3", "limit 0→5"])
    tank.limit = 7
    #expect(recorder.take() == ["limit 5→6", "limit 6→7"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P40, P48: it waits for the computed keys of a transaction as well")
  func computedInTransaction() {
    let tank = Tank()
    let tokens = [
      tank.observe(\.level, options: [.old, .new]) { [recorder] tank, change in
        recorder.write("level", change)
        if change.newValue != 1 { return }
        onThread { tank.limit = 6 }
        tank.level = 3
      },
      tank.observe(\.rest, options: [.old, .new], changeHandler: recorder.receives("rest")),
      tank.observe(\.twice, options: [.old, .new], changeHandler: recorder.receives("twice")),
    ]
    withKeyValueTransaction {
      tank.level = 1
      tank.limit = 5
    }
    #expect(
      recorder.take() == [
        "level 0→1", "level 1→3", "rest 0→4", "rest 4→5", "rest 5→3", "twice 0→10",
      ]
    )
    tank.limit = 7
    #expect(recorder.take() == ["twice 10→12", "rest 3→4", "twice 12→14"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P11, P40: it waits for the change whose computed keys are being evaluated")
  func getter() {
    let dial = Dial()
    let tokens = [
      dial.observe(\.level, options: [.old, .new], changeHandler: recorder.receives("level")),
      dial.observe(\.shown) { _, _ in },
      dial.other.observe(\.level, options: .new, changeHandler: recorder.receives("other")),
    ]
    dial.level = 1
    #expect(recorder.take() == ["other →1", "level 0→1"])
    dial.level = 3
    #expect(recorder.take() == ["level 1→2", "level 2→3"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P40, P48: and for those of a transaction")
  func getterInTransaction() {
    let dial = Dial()
    let tokens = [
      dial.observe(\.level, options: [.old, .new], changeHandler: recorder.receives("level")),
      dial.observe(\.shown) { _, _ in },
      dial.other.observe(\.level, options: .new, changeHandler: recorder.receives("other")),
    ]
    withKeyValueTransaction { dial.level = 1 }
    #expect(recorder.take() == ["other →1", "level 0→1"])
    dial.level = 3
    #expect(recorder.take() == ["level 1→2", "level 2→3"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P11, P40: a change of a path that waits for an older one keeps its position")
  func path() {
    let site = Site()
    let tokens = [
      site.observe(\.tank, options: .new) { site, change in
        let tank = site.tank
        onThread { tank.level = 2 }
        tank.level = 3
      },
      site.observe(\.tank.level, options: [.old, .new], changeHandler: recorder.receives("path")),
    ]
    site.tank = Tank(level: 1)
    #expect(recorder.take() == ["path 0→1 path", "path 1→2", "path 2→3"])
    site.tank.level = 4
    #expect(recorder.take() == ["path 3→4"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P11, P40: it keeps it with an intermediate object as well")
  func intermediateObject() {
    let region = Region()
    let tokens = [
      region.observe(\.site, options: .new) { region, _ in
        let site = region.site
        onThread { site.tank = Tank(level: 2) }
        site.tank = Tank(level: 3)
      },
      region.observe(
        \.site.tank.level, options: [.old, .new], changeHandler: recorder.receives("path")),
    ]
    let site = Site()
    site.tank.level = 1
    region.site = site
    #expect(recorder.take() == ["path 0→1 path", "path 1→2 path", "path 2→3 path"])
    region.site.tank.level = 4
    #expect(recorder.take() == ["path 3→4"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P8, P40: so does one that waits for the end of a mutation in place")
  func mutation() throws {
    let depot = Depot()
    let tokens = [
      try depot.observe("tanks.@sum.level", options: .new) { [recorder] depot, change in
        recorder.write("a", change)
        if change.newValue as? Int == 1 { onThread { depot.tanks[0].level = 2 } }
      },
      try depot.observe(
        "tanks.@sum.level", options: .new, changeHandler: recorder.receives("b")),
    ]
    fill(&depot.tanks)
    #expect(recorder.take() == ["a →1", "b →1"])
    depot.tanks[0].level = 3
    #expect(recorder.take() == ["a →2", "b →2", "a →3", "b →3"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("P8, P40: what is handed over while others are evaluated then waits for it")
  func evaluationAfterMutation() throws {
    let depot = Depot()
    let tokens = [
      try depot.observe(
        "tanks.@sum.level", options: .new, changeHandler: recorder.receives("sum")),
      depot.observe(\.shown) { _, _ in },
      depot.other.observe(\.level, options: .new, changeHandler: recorder.receives("other")),
    ]
    fill(&depot.tanks)
    #expect(recorder.take() == ["other →1", "sum →1"])
    depot.tanks[0].level = 3
    #expect(recorder.take() == ["sum →2", "sum →3"])
    tokens.forEach { $0.invalidate() }
  }

  private func fill(_ tanks: inout [Tank]) { tanks[0].level = 1 }
}
