import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private final class FeedItem {
  var name = ""
}

@KeyValueObservable
private final class Feed: KeyValueSource {
  var item: FeedItem? = FeedItem()
  @KeyValueIgnored private(set) var calls: [String] = []

  func didBecomeObserved(forKey key: String) { calls.append("+\(key)") }
  func didBecomeUnobserved(forKey key: String) { calls.append("-\(key)") }
}

@KeyValueObservable
private final class FeedPanel {
  let feed: Feed
  var current: FeedItem? { feed.item }

  init(_ feed: Feed) { self.feed = feed }
}

@KeyValueObservable
private final class FeedScreen {
  var panel: FeedPanel?
}

/// Measures when it is observed.
@KeyValueObservable
private final class Meter: KeyValueSource {
  var level = 0

  func didBecomeObserved(forKey key: String) { level = 9 }
  func didBecomeUnobserved(forKey key: String) {}
}

@KeyValueObservable
private final class MeterHolder {
  var meter: Meter?
}

extension AllTests {
  /// How a source is notified that a key is observed.
  @Suite("Becoming observed")
  struct BecomingObservedTests {
    private let source = WidgetSource(["upper": 4.0])

    @Test("P70: the first observer of a key and the end of the last one are notified, once each")
    func once() throws {
      let first = try source.observe("upper") { _, _ in }
      #expect(source.takeObserved() == ["+upper"])
      let second = try source.observe("upper", options: .prior) { _, _ in }
      first.invalidate()
      #expect(source.takeObserved() == [])
      second.invalidate()
      second.invalidate()
      #expect(source.takeObserved() == ["-upper"])
      var third: KeyValueObservation? = try source.observe("upper") { _, _ in }
      withExtendedLifetime(third) {}
      third = nil
      #expect(source.takeObserved() == ["+upper", "-upper"])
      #expect(source.widget.listenedKeys == [])
    }

    @Test("P70: a key that a path leads to is observed while the path leads there")
    func paths() throws {
      let (one, two) = (WidgetSource(["upper": 1.0]), WidgetSource(["upper": 2.0]))
      let holder = WidgetHolder()
      holder.widget = source
      source.widget.store("child", one)
      let tokens = [
        holder.observe(\.widget?[.child]?[.upper]) { _, _ in },
        try source.observe("child.upper") { _, _ in },
      ]
      #expect(source.takeObserved() == ["+child"])
      #expect(one.takeObserved() == ["+upper"])
      source.widget.change("child", to: two)
      #expect(one.takeObserved() == ["-upper"])
      #expect(two.takeObserved() == ["+upper"])
      holder.widget = nil
      #expect(source.takeObserved() == [] && two.takeObserved() == [])
      for token in tokens { token.invalidate() }
      #expect(source.takeObserved() == ["-child"])
      #expect(two.takeObserved() == ["-upper"])
    }

    @Test("P70: a source that is read through another object is observed all the time")
    func replacedReader() {
      let screen = FeedScreen()
      let feed = Feed()
      screen.panel = FeedPanel(feed)
      let token = screen.observe(\.panel?.current?.name) { _, _ in }
      #expect(feed.calls == ["+item"])
      screen.panel = FeedPanel(feed)
      #expect(feed.calls == ["+item"])
      token.invalidate()
      #expect(feed.calls == ["+item", "-item"])
    }

    @Test("P11, P25: a key that is set when it becomes observed is read after that")
    func setWhenObserved() {
      let holder = MeterHolder()
      var lines: [String] = []
      let token = holder.observe(\.meter?.level, options: [.old, .new]) { _, change in
        lines.append("\(change.oldValue! ?? -1)→\(change.newValue! ?? -1)")
      }
      holder.meter = Meter()
      holder.meter = Meter()
      holder.meter?.level = 1
      #expect(lines == ["-1→9", "9→9", "9→1"])
      withExtendedLifetime(token) {}
    }

    @Test("P70: a key that the getter of a computed property was found to read is observed")
    func computed() {
      let holder = WidgetHolder()
      holder.widget = source
      source.widget.store("child", WidgetSource(["upper": 1.0]))
      let token = holder.observe(\.span) { _, _ in }
      #expect(source.takeObserved() == ["+child"])
      holder.isShown = false
      #expect(source.takeObserved() == ["-child"])
      holder.isShown = true
      #expect(source.takeObserved() == ["+child"])
      token.invalidate()
      #expect(source.takeObserved() == ["-child"])
    }

    @Test("P70: evaluating again what reads the key anyway notifies of nothing")
    func evaluatedAgain() throws {
      let holder = WidgetHolder()
      holder.widget = source
      let tokens = [
        holder.observe(\.area, options: [.old, .new]) { _, _ in },
        holder.observe(\.widget?[.upper], options: [.old, .new]) { _, _ in },
      ]
      #expect(source.takeObserved() == ["+upper"])
      for factor in 1...5 { holder.factor = Double(factor) }
      source.widget.change("upper", to: 5.0)
      source["upper"] = 6.0
      #expect(source.takeObserved() == [])
      for token in tokens { token.invalidate() }
      #expect(source.takeObserved() == ["-upper"])
    }

    @Test("P70: it is notified before the initial value is read")
    func beforeTheValue() throws {
      source.onObserved = { [widget = source.widget] in
        if $0 == "+upper" { widget.store("upper", 9.0) }
      }
      var values: [Double?] = []
      let token = try source.observe("upper", options: [.initial, .new]) { _, change in
        values.append(change.newValue.flatMap { $0 as? Double })
      }
      #expect(values == [9])
      withExtendedLifetime(token) {}
    }

    @Test("P70: what the source reads and observes meanwhile is no input, and no contradiction")
    func insideOfIt() throws {
      let holder = WidgetHolder()
      holder.widget = source
      var inner: KeyValueObservation?
      source.onObserved = { [unowned source] event in
        _ = source["lower"]
        guard event == "+upper" else { return }
        inner = try? source.observe("upper") { _, _ in }
        inner?.invalidate()
        inner = try? source.observe("lower") { _, _ in }
      }
      let token = holder.observe(\.area) { _, _ in }
      #expect(source.takeObserved() == ["+upper", "+lower"])
      inner?.invalidate()
      #expect(source.takeObserved() == ["-lower"])
      token.invalidate()
      #expect(source.takeObserved() == ["-upper"])
    }

    @Test("P71: what begins or ends inside of one call is notified of when that has returned")
    func insideOfACall() throws {
      var log: [String] = []
      var inner: KeyValueObservation?
      source.onObserved = { [unowned source] event in
        log.append(event)
        if event == "-upper", inner == nil { inner = try? source.observe("upper") { _, _ in } }
        log.append("end")
      }
      try source.observe("upper") { _, _ in }.invalidate()
      #expect(log == ["+upper", "end", "-upper", "end", "+upper", "end"])
      inner?.invalidate()
      #expect(log.suffix(2) == ["-upper", "end"])
    }

    @Test("P70, P33: a source that is deallocated is notified of nothing")
    func deallocated() throws {
      var log: [String] = []
      var tokens: [KeyValueObservation] = []
      do {
        let gone = WidgetSource(["upper": 1.0])
        gone.onObserved = { log.append($0) }
        tokens.append(try gone.observe("upper") { _, _ in })
        let holder = WidgetHolder()
        holder.widget = gone
        tokens.append(holder.observe(\.area) { _, _ in })
      }
      for token in tokens { token.invalidate() }
      #expect(log == ["+upper"])
    }

    @Test("P70: a class of Swift properties can be a source")
    func swiftProperties() {
      let sensor = Sensor()
      let first = sensor.observe(\.level) { _, _ in }
      let second = sensor.observe(\.isHigh) { _, _ in }
      #expect(sensor.log == ["+level", "+isHigh"])
      first.invalidate()
      #expect(sensor.log == ["+level", "+isHigh"])
      second.invalidate()
      #expect(Set(sensor.log.suffix(2)) == ["-isHigh", "-level"])
      #expect(sensor.log.count == 4)
    }
  }
}

@KeyValueObservable
final class Sensor: KeyValueSource {
  var level = 0.0
  var isHigh: Bool { level > 10 }
  @KeyValueIgnored var log: [String] = []

  func didBecomeObserved(forKey key: String) { log.append("+\(key)") }
  func didBecomeUnobserved(forKey key: String) { log.append("-\(key)") }
}
