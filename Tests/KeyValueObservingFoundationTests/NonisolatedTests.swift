import Foundation
import KeyValueObservingFoundation
import Synchronization
import Testing

@Suite("Observations that belong to no actor, in Foundation's spellings")
struct NonisolatedTests {
  @Test(
    "P8, P40: with nil as isolation a @Sendable closure belongs to no actor, wherever it is made")
  @MainActor
  func everyFunction() throws {
    let lamp = Lamp()
    let calls = Calls()
    lamp.addObserver(calls, forKeyPath: "level", isolation: nil)
    let tokens = [
      lamp.observe(\.level, isolation: nil) { (_, _: NSKeyValueObservedChange<Int>) in
        calls.note()
      },
      try lamp.observe("level", as: Int.self, isolation: nil) { _, _ in calls.note() },
    ]
    lamp.level = 1
    #expect(calls.value == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("P8, P40: such a closure of a notification is called where it is posted")
  @MainActor
  func notification() async {
    let center = NotificationCenter()
    let calls = Calls()
    let name = Notification.Name("lamp")
    let token = center.onNotification(name, isolation: nil) { _ in calls.note() }
    let counted = await Task.detached {
      center.post(name: name, object: nil)
      return calls.value
    }.value
    #expect(counted == 1)
    withExtendedLifetime(token) {}
  }

  @Test("P40: an observer of the main actor that is added with nil is notified on the main actor")
  @MainActor
  func isolatedObserver() async {
    let lamp = Lamp()
    let label = Label()
    (label as any Adding).add(to: lamp)
    let parcel = Parcel(lamp)
    await Task.detached { parcel.lamp.level = 1 }.value
    while label.count == 0 { await Task.yield() }
    #expect(label.count == 1)
  }

  @Test("P40: one of another global actor is notified on that")
  @Disk
  func diskObserver() async {
    let lamp = Lamp()
    let meter = Meter()
    (meter as any DiskAdding).add(to: lamp)
    let parcel = Parcel(lamp)
    await Task.detached { parcel.lamp.level = 1 }.value
    while meter.count == 0 { await Task.yield() }
    #expect(meter.count == 1)
    lamp.level = 2
    #expect(meter.count == 2)
  }
}

@KeyValueObservable
private final class Lamp {
  var level = 0
}

/// Counts calls, from any thread.
private final class Calls: NSKeyValueObserving, Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func note() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    note()
  }
}

/// Through a requirement a deprecated function is called without a warning.
@MainActor
private protocol Adding {
  func add(to lamp: Lamp)
}

@MainActor
private final class Label: @MainActor NSKeyValueObserving, Adding {
  var count = 0

  @available(*, deprecated)
  func add(to lamp: Lamp) {
    lamp.addObserver(self, forKeyPath: "level", isolation: nil)
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    MainActor.assertIsolated()
    count += 1
  }
}

@globalActor
private actor Disk {
  static let shared = Disk()
}

@Disk
private protocol DiskAdding {
  func add(to lamp: Lamp)
}

@Disk
private final class Meter: @Disk NSKeyValueObserving, DiskAdding {
  var count = 0

  @available(*, deprecated)
  func add(to lamp: Lamp) {
    lamp.addObserver(self, forKeyPath: "level", isolation: nil)
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    // Traps elsewhere.
    Disk.shared.assertIsolated()
    count += 1
  }
}

private struct Parcel: @unchecked Sendable {  // one task uses it after the other
  let lamp: Lamp

  init(_ lamp: Lamp) {
    self.lamp = lamp
  }
}
