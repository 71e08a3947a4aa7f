import KeyValueObserving
import Testing

@KeyValueObservable
private final class Control {
  var title = ""
  var tooltip = ""
}

@KeyValueObservable
private final class Window {
  var control = Control()
}

@KeyValueObservable
private final class Document {
  var name = "a"
  var note = "n"
}

private struct Span: Equatable {
  var lower = 0
  var upper = 0
}

@KeyValueObservable
private final class Limits {
  var low = 1
  var high = 2
}

@KeyValueObservable
private final class Slider {
  var span = Span()
}

extension AllTests {
  /// Bindings of several values that have keys in common.
  @Suite struct BindingsOfSharedKeys {
    @Test("P63, P65: two properties of one intermediate object are bound to one source")
    func oneSource() {
      let (document, window) = (Document(), Window())
      let bindings = [
        document.bind(\.name, to: window, \.control.title),
        document.bind(\.name, to: window, \.control.tooltip),
      ]
      document.name = "b"
      #expect((window.control.title, window.control.tooltip) == ("b", "b"))
      window.control.tooltip = "c"
      #expect((document.name, window.control.title) == ("c", "c"))
      withExtendedLifetime(bindings) {}
    }

    @Test("P63, P65: two properties of one intermediate object, set in one transaction")
    func oneTransaction() {
      let (document, window) = (Document(), Window())
      let bindings = [
        document.bind(\.name, to: window, \.control.title),
        document.bind(\.note, to: window, \.control.tooltip),
      ]
      withKeyValueTransaction {
        window.control.title = "t"
        window.control.tooltip = "u"
      }
      #expect((document.name, document.note) == ("t", "u"))
      let control = Control()
      (control.title, control.tooltip) = ("v", "w")
      withKeyValueTransaction {
        document.name = "x"
        window.control = control
      }
      #expect((document.name, document.note) == ("v", "w"))
      withExtendedLifetime(bindings) {}
    }

    @Test(
      "P63, P65: two fields of one structure, set in one transaction", arguments: [false, true])
    func fields(isReversed: Bool) {
      let (limits, slider) = (Limits(), Slider())
      let bindings = [
        limits.bind(\.low, to: slider, \.span.lower),
        limits.bind(\.high, to: slider, \.span.upper),
      ]
      #expect(slider.span == Span(lower: 1, upper: 2))
      withKeyValueTransaction {
        if isReversed { limits.high = 20 }
        limits.low = 10
        if !isReversed { limits.high = 20 }
      }
      #expect((limits.low, limits.high) == (10, 20))
      #expect(slider.span == Span(lower: 10, upper: 20))
      slider.span = Span(lower: 3, upper: 4)
      #expect((limits.low, limits.high) == (3, 4))
      withExtendedLifetime(bindings) {}
    }

    @Test("P68: the new source of a group is not overwritten where targets have a key in common")
    func group() {
      let slider = Slider()
      let group = KeyValueBindingGroup<Limits>()
      group.bind(\.low, to: slider, \.span.lower)
      group.bind(\.high, to: slider, \.span.upper)
      group.source = Limits()
      let limits = Limits()
      (limits.low, limits.high) = (30, 40)
      group.source = limits
      #expect((limits.low, limits.high) == (30, 40))
      #expect(slider.span == Span(lower: 30, upper: 40))
    }
  }
}
