import KeyValueObserving
import Observation
import Synchronization
import Testing

extension AllTests {
  /// Events, besides sets, of which the module Observation is notified in a class that is
  /// `Observable`.
  @Suite("Tracked by the module Observation")
  struct TrackingTests {
    @Test("P95: a manual notification notifies it, for a key path and for a key")
    func manual() {
      let model = TrackedGauge()
      let set = { model.withMutation(of: \.level) { model.source = 1 } }
      #expect(changes(of: model.level, when: set) == 1)
      #expect(changes(of: model.level) { model.withMutation(forKey: "level") {} } == 1)
      #expect(
        changes(of: model.level) {
          model.willChangeValue(for: \.level)
          model.didChangeValue(for: \.level)
        } == 1)
      #expect(
        changes(of: model.level) {
          model.willChangeValue(forKey: "level")
          model.didChangeValue(forKey: "level")
        } == 1)
      #expect(changes(of: model.level) { model.withMutation(of: \.title) {} } == 0)
      #expect(changes(of: model.title) { model.withMutation(of: \.title) {} } == 1)
    }

    @Test("P95: so does one for the elements of a collection")
    func elements() {
      let model = TrackedGauge()
      let first = RangeSet(0..<1)
      #expect(
        changes(of: model.marks) {
          model.withMutation(of: \.marks, .replacement, at: first) {}
        } == 1)
      #expect(
        changes(of: model.marks) {
          model.willChange(.insertion, valuesAt: first, for: \.marks)
          model.didChange(.insertion, valuesAt: first, for: \.marks)
        } == 1)
      #expect(
        changes(of: model.marks) {
          model.willChange(.removal, valuesAt: first, forKey: "marks")
          model.didChange(.removal, valuesAt: first, forKey: "marks")
        } == 1)
      #expect(
        changes(of: model.names) {
          model.willChangeValue(for: \.names, withSetMutation: .union, using: ["a"])
          model.didChangeValue(for: \.names, withSetMutation: .union, using: ["a"])
        } == 1)
    }

    @Test("P95: it is notified before the observers, whether or not there are any")
    func order() {
      let history = Mutex([String]())
      let model = TrackedGauge()
      let token = model.observe(\.level, options: [.new, .prior]) { _, change in
        history.withLock { $0.append(change.isPrior ? "prior" : "observer") }
      }
      withObservationTracking {
        _ = model.level
      } onChange: {
        history.withLock { $0.append("tracked") }
      }
      model.withMutation(of: \.level) {
        model.source = 2
        history.withLock { $0.append("body") }
      }
      #expect(history.withLock { $0 } == ["tracked", "prior", "body", "observer"])
      withExtendedLifetime(token) {}
    }

    @Test("P95: a subclass is tracked in what it adds and in what it inherits")
    func subclass() {
      let model = TrackedThermometer<Int>()
      #expect(changes(of: model.title) { model.title = "a" } == 1)
      #expect(changes(of: model.title) { model.withMutation(of: \.title) {} } == 1)
      #expect(changes(of: model.level) { model.withMutation(forKey: "level") {} } == 1)
      #expect(changes(of: model.unit) { model.unit = "°C" } == 1)
      #expect(changes(of: model.unit) { model.unit.append("!") } == 1)
      #expect(changes(of: model.unit) { model.withMutation(of: \.unit) {} } == 1)
      #expect(changes(of: model.reading) { model.withMutation(of: \.reading) {} } == 1)
      #expect(changes(of: model.unit) { model.title = "b" } == 0)
      let fine = FineTrackedThermometer()
      #expect(changes(of: fine.unit) { fine.withMutation(of: \.unit) {} } == 1)
      #expect(changes(of: fine.title) { fine.withMutation(forKey: "title") {} } == 1)
      #expect(changes(of: fine.digits) { fine.withMutation(of: \.digits) {} } == 1)
      #expect(changes(of: fine.digits) { fine.setValue(3, ofDigits: ()) } == 1)
    }

    @Test("P95: a subclass may be Observable alone, and is tracked in what it adds")
    func subclassAlone() {
      let model = TrackedNote()
      #expect(changes(of: model.color) { model.color = "red" } == 1)
      #expect(changes(of: model.color) { model.withMutation(of: \.color) {} } == 1)
      #expect(changes(of: model.text) { model.text = "a" } == 0)
    }

    @Test("P95: a private property of a subclass is not taken for that of its superclass")
    func privateProperties() {
      let model = TrackedLocker()
      #expect(changes(of: model.ownCode) { model.setOwnCode(1) } == 1)
      #expect(changes(of: model.inheritedCode) { model.setOwnCode(2) } == 0)
      #expect(changes(of: model.ownCode) { model.withMutation(forOwnCode: ()) } == 1)
    }

    @Test("P95: the class may be Sendable, or isolated to an actor")
    @MainActor
    func guardedAndIsolated() {
      let counter = TrackedCounter()
      #expect(changes(of: counter.count) { counter.count = 1 } == 1)
      #expect(changes(of: counter.count) { counter.withMutation(of: \.count) {} } == 1)
      let screen = TrackedScreen()
      #expect(changes(of: screen.title) { screen.title = "a" } == 1)
      #expect(changes(of: screen.title) { screen.withMutation(of: \.title) {} } == 1)
      #expect(changes(of: screen.depth) { screen.depth = 1 } == 1)
    }
  }
}

/// How often the module Observation reports a change of what an expression reads.
func changes<Value>(of expression: @autoclosure () -> Value, when change: () -> Void) -> Int {
  let counter = Counter()
  withObservationTracking {
    _ = expression()
  } onChange: {
    counter.increment()
  }
  change()
  return counter.value
}

@KeyValueObservable
class TrackedGauge: Observable {
  var title = ""
  var marks = [1, 2]
  var names: Set<String> = []
  @KeyValueIgnored var source = 0
  var level: Int {
    keyValueRegistrar.access("level", of: self)
    return source
  }
}

@KeyValueObservable
class TrackedThermometer<Sample>: TrackedGauge {
  var unit = "K"
  var samples: [Sample] = []
  var reading: String {
    keyValueRegistrar.access("reading", of: self)
    return "\(source)"
  }
}

@KeyValueObservable
final class FineTrackedThermometer: TrackedThermometer<Double> {
  private(set) var digits = 1

  func setValue(_ digits: Int, ofDigits: Void) { self.digits = digits }
}

@KeyValueObservable
class UntrackedNote {
  var text = ""
}

@KeyValueObservable
final class TrackedNote: UntrackedNote, Observable {
  var color = ""
}

@KeyValueObservable
class TrackedCabinet: Observable {
  private var code = 0
  var inheritedCode: Int { code }
}

@KeyValueObservable
final class TrackedLocker: TrackedCabinet {
  private var code = 0
  var ownCode: Int { code }

  func setOwnCode(_ code: Int) { self.code = code }
  func withMutation(forOwnCode: Void) { withMutation(of: \.code) {} }
}

@KeyValueObservable
final class TrackedCounter: Observable, Sendable {
  var count = 0
}

@MainActor @KeyValueObservable
class TrackedView: Observable {
  var title = ""
}

@MainActor @KeyValueObservable
final class TrackedScreen: TrackedView {
  var depth = 0
}
