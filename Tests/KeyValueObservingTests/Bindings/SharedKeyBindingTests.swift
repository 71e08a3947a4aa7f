import KeyValueObserving
import Testing

@KeyValueObservable
private final class Control {
  var title = ""
  var tooltip = ""
  @KeyValueIgnored var hint = ""
}

@KeyValueObservable
private final class Window {
  var control = Control()
  var count = 0
}

@KeyValueObservable
private final class Book {
  let number: Int

  init(_ number: Int) { self.number = number }
}

@KeyValueObservable
private final class Shelf {
  var book = Book(7)
}

@KeyValueObservable
private final class Document {
  var name = "a"
  var note = "n"
  var length = 0
}

private struct Span: Equatable {
  var lower = 0
  var upper = 0
}

private struct Track: Equatable {
  var span = Span()
}

@KeyValueObservable
private final class Limits {
  var low = 1
  var high = 2
  var sum: Int { low + high }
  var text: String {
    get { "\(low) \(high)" }
    set {
      let numbers = newValue.split(separator: " ").compactMap { Int($0) }
      if numbers.count == 2 { (low, high) = (numbers[0], numbers[1]) }
    }
  }
}

@KeyValueObservable
private final class Slider {
  var span = Span()
  var frame = Track()
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

    @Test("P63: a side without a key of its own is written once, and read", .timeLimit(.minutes(5)))
    func sideWithoutKey() {
      let (document, window, shelf) = (Document(), Window(), Shelf())
      let bindings = [
        document.bind(\.name, to: window, \.control.hint),
        shelf.bind(\.book.number, to: window, \.count, .oneWay),
      ]
      #expect((window.control.hint, window.count) == ("a", 7))
      document.name = "b"
      shelf.book = Book(8)
      #expect((window.control.hint, window.count) == ("b", 8))
      withExtendedLifetime(bindings) {}
    }

    @Test("P63: a computed property that is written changes others of the same inputs")
    func computedFromSameInputs() {
      let (limits, form) = (Limits(), Document())
      let bindings = [
        limits.bind(\.text, to: form, \.name), limits.bind(\.sum, to: form, \.length, .oneWay),
      ]
      form.name = "30 40"
      #expect((limits.low, limits.high, form.length) == (30, 40, 70))
      withExtendedLifetime(bindings) {}
    }

    @Test("P63: a field of a bound structure is written with it, and the structure with the field")
    func nestedFields() {
      let (limits, slider) = (Limits(), Slider())
      let bindings = [
        limits.bind(\.low, to: slider, \.frame.span.lower),
        slider.bind(\.span, to: slider, \.frame.span),
      ]
      limits.low = 5
      #expect(slider.span.lower == 5)
      slider.span.lower = 6
      #expect((limits.low, slider.frame.span.lower) == (6, 6))
      withExtendedLifetime(bindings) {}
    }
  }
}
