import KeyValueObserving
import Observation
import TestSupport
import Testing

@KeyValueObservable
private class Panel: Observable {
  var title = "a"
  var marks: [Int] = []
  var width = 1.0 { didSet { count += 1 } }
  weak var next: Panel?
  @KeyValueIgnored private(set) var count = 0
}

@KeyValueObservable
private final class WidePanel: Panel {
  var margin = 0
}

/// Classes that are `Observable` as well, in a rollback.
@Suite struct TrackedRollbackTests {
  @Test(
    "P50, P95: a rollback notifies the module Observation, which then finds the former value",
    arguments: [false, true])
  func rollback(isObserved: Bool) {
    let (panel, other) = (WidePanel(), WidePanel())
    panel.next = other
    let tokens = isObserved ? [panel.observe(\.title, options: [.old, .new]) { _, _ in }] : []
    var changed: [String] = []
    nonisolated(unsafe) var notified: [String] = []
    func track(_ name: String, _ read: () -> Void) {
      withObservationTracking(read) { notified.append(name) }
      changed.append(name)
    }
    try? withKeyValueTransaction {
      panel.title = "b"
      panel.marks.append(1)
      panel.mutableArrayValue(for: \.marks).append(2)
      panel.width = 2
      panel.next = nil
      panel.margin = 3
      // Tracked from here on, so that only what puts values back notifies.
      track("title") { _ = panel.title }
      track("marks") { _ = panel.marks }
      track("width") { _ = panel.width }
      track("next") { _ = panel.next }
      track("margin") { _ = panel.margin }
      throw Refused()
    }
    #expect(notified.sorted() == changed.sorted())
    #expect((panel.title, panel.marks, panel.width, panel.margin) == ("a", [], 1, 0))
    #expect(panel.next === other)
    withExtendedLifetime((tokens, other)) {}
  }

  @Test("P50, P95: it is notified before the value is put back")
  func order() {
    let panel = WidePanel()
    let titles = Guarded<[String]>([])
    nonisolated(unsafe) let shared = panel
    try? withKeyValueTransaction {
      panel.title = "b"
      withObservationTracking {
        _ = panel.title
      } onChange: {
        let title = shared.title
        titles.withLock { $0.append(title) }
      }
      throw Refused()
    }
    #expect(titles.value == ["b"])
    #expect(panel.title == "a")
  }

  @Test("P50: a property that has not changed does not notify it")
  func unchanged() {
    let panel = WidePanel()
    nonisolated(unsafe) var count = 0
    withObservationTracking {
      _ = panel.title
    } onChange: {
      count += 1
    }
    try? withKeyValueTransaction {
      panel.width = 2
      panel.margin = 3
      throw Refused()
    }
    #expect(count == 0)
  }
}
