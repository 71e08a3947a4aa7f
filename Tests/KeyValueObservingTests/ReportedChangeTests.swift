import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Changes that an object reports after it has changed by itself.
  @Suite("Changes reported afterwards")
  struct ReportedChangeTests {
    private let recorder = Recorder()
    private let source = WidgetSource(["upper": 4.0, "lower": 1.0])

    private func observe(
      _ key: String, of source: WidgetSource,
      _ options: KeyValueObservation.Options = [.old, .new]
    ) throws -> KeyValueObservation {
      try source.observe(key, options: options, changeHandler: recorder.receives(key))
    }

    @Test("P72: observers of the key receive the old and the new value, and no prior notification")
    func both() throws {
      let token = try observe("upper", of: source, [.old, .new, .prior, .initial])
      #expect(recorder.take() == ["upper →4.0"])
      source.widget.change("upper", to: 5.0)
      source.widget.change("upper", to: nil)
      #expect(recorder.take() == ["upper 4.0→5.0", "upper 5.0→nil"])
      source["upper"] = 6.0
      #expect(recorder.take() == ["upper nil→ prior", "upper nil→6.0"])
      withExtendedLifetime((token, source)) {}
    }

    @Test("P73: a path over a link that was replaced has the old value that it had before")
    func replacedLink() throws {
      source.widget.store("child", WidgetSource(["upper": 7.0]))
      let holder = WidgetHolder()
      holder.widget = source
      let tokens = [
        try source.observe(
          "child.upper", options: [.old, .new], changeHandler: recorder.receives("string")),
        holder.observe(
          \.widget?[.child]?[.upper], options: [.old, .new],
          changeHandler: recorder.receives("typed")),
      ]
      source.widget.change("child", to: nil)
      #expect(recorder.take() == ["string 7.0→nil path", "typed 7.0→nil path"])
      let child = WidgetSource(["upper": 8.0])
      source.widget.change("child", to: child)
      #expect(recorder.take() == ["string nil→8.0 path", "typed nil→8.0 path"])
      child.widget.change("upper", to: 9.0)
      #expect(recorder.take() == ["string 8.0→9.0", "typed 8.0→9.0"])
      withExtendedLifetime((tokens, source)) {}
    }

    @Test("P73: a computed key has its former value, as old value and for what depends on it")
    func computed() {
      let holder = WidgetHolder()
      holder.widget = source
      holder.factor = 2
      let tokens = [
        holder.observe(\.area, options: [.old, .new], changeHandler: recorder.receives("area")),
        holder.observe(
          \.area.description, options: [.old, .new], changeHandler: recorder.receives("text")),
      ]
      source.widget.change("upper", to: 5.0)
      #expect(recorder.take() == ["text 8.0→10.0", "area 8.0→10.0"])
      holder.factor = 3
      #expect(recorder.take() == ["text 10.0→15.0", "area 10.0→15.0"])
      withExtendedLifetime((tokens, source)) {}
    }

    @Test("P73: only the reported key has its former value, not that of another object")
    func namesake() {
      let child = WidgetSource(["upper": 10.0])
      source.widget.store("child", child)
      let room = WidgetRoom(source)
      let token = room.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      child.widget.change("upper", to: 20.0)
      #expect(recorder.take() == ["total 15.0→25.0"])
      source.widget.change("upper", to: 5.0)
      #expect(recorder.take() == ["total 25.0→26.0"])
      source.widget.change("lower", to: 2.0)
      #expect(recorder.take() == ["total 26.0→27.0"])
      withExtendedLifetime((token, room, child)) {}
    }

    @Test("P73: a change that is reported while former values are read has its own")
    func nested() throws {
      let room = WidgetRoom(source)
      let other = WidgetSource(["upper": 100.0])
      let otherRoom = WidgetRoom(other)
      let tokens = [
        room.observe(\.total, options: [.old, .new], changeHandler: recorder.receives("total")),
        otherRoom.observe(
          \.total, options: [.old, .new], changeHandler: recorder.receives("other")),
      ]
      // The first read of the getter is that of the former value.
      room.duringTotal = { [unowned room] in
        room.duringTotal = nil
        other.widget.change("upper", to: 200.0)
      }
      source.widget.change("upper", to: 5.0)
      #expect(recorder.take() == ["other 100.0→200.0", "total 5.0→6.0"])
      source.widget.change("upper", to: 6.0)
      #expect(recorder.take() == ["total 6.0→7.0"])
      withExtendedLifetime((tokens, room, otherRoom, other)) {}
    }

    @Test("P72, P11: what a callback changes is delivered behind the change that it is called for")
    func behind() throws {
      var isFirst = true
      let first = try source.observe("upper", options: [.old, .new]) { [recorder] source, change in
        recorder.write("first", change)
        guard isFirst else { return }
        isFirst = false
        source.widget.change("upper", to: 5.5)
        source["upper"] = 6.0
        #expect(source["upper"] as? Double == 6)
      }
      let second = try observe("upper", of: source)
      source.widget.change("upper", to: 5.0)
      #expect(
        recorder.take() == [
          "first 4.0→5.0", "upper 4.0→5.0", "first 5.0→5.5", "upper 5.0→5.5", "first 5.5→6.0",
          "upper 5.5→6.0",
        ])
      withExtendedLifetime((first, second, source)) {}
    }

    @Test("P72, P9: distinct leaves out a change to an equal value")
    func distinct() throws {
      let token = try observe("upper", of: source, [.new, .distinct])
      source.widget.change("upper", to: 4.0)
      #expect(recorder.take() == [])
      source.widget.change("upper", to: 4.5)
      #expect(recorder.take() == ["upper →4.5"])
      withExtendedLifetime((token, source)) {}
    }

    @Test("P73: observers that are called read the value that the key has")
    func seenInCallbacks() throws {
      let holder = WidgetHolder()
      holder.widget = source
      let token = holder.observe(\.area, options: [.old]) { [recorder, source] holder, _ in
        recorder.write("\(holder.area) \(source["upper"] ?? "nil")")
      }
      source.widget.change("upper", to: 5.0)
      #expect(recorder.take() == ["5.0 5.0"])
      withExtendedLifetime((token, source)) {}
    }

    @Test("P72, P16: without observers a report does nothing")
    func unobserved() throws {
      let token = try observe("lower", of: source)
      source.widget.change("upper", to: 5.0)
      token.invalidate()
      source.keyValueRegistrar.didChange(
        source.keyValueProperty(forKey: "lower")!, of: source, from: 1.0, to: 2.0)
      #expect(recorder.take() == [])
    }
  }
}

/// The sum of two keys of a widget, and of one key of the widget inside it.
@KeyValueObservable
private final class WidgetRoom {
  @KeyValueIgnored let source: WidgetSource
  /// Called between the reads.
  @KeyValueIgnored var duringTotal: (() -> Void)?

  init(_ source: WidgetSource) { self.source = source }

  var total: Double {
    let child = source[.child]?[.upper] ?? 0
    duringTotal?()
    return child + (source[.upper] ?? 0) + (source[.lower] ?? 0)
  }
}
