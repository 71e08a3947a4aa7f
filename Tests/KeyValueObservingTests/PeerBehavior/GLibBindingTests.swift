// Behaviors of GLib, from `gobject/tests/binding.c`.
//
// Not ours: bindings that do not copy a value when they are made; here the second side always takes
// that of the first (P63). A binding is kept by its token, not by its objects, and is used on one
// thread, so none is ended or released by several threads at once. Names of properties have one
// spelling, and objects are not disposed of before they are released.

import KeyValueObserving
import Testing

@KeyValueObservable
private final class Knob {
  var foo = 0
  var bar = 0
  var degrees = 0.0
  var isOn = false
  var text = ""
  var part: Part?
}

@KeyValueObservable
private class Part {}

@KeyValueObservable
private final class SparePart: Part {}

@KeyValueObservable
private final class Shelf {
  var spare: SparePart?
}

/// An object that a converter captures.
private final class Ratio {
  let value = 9.0 / 5
}

extension PeerBehavior {
  @Suite struct GLibBindings {
    private let journal = Journal()
    private let source = Knob()
    private let target = Knob()

    private func toFahrenheit() -> KeyValueConverter<Double, Double> {
      let factor = Ratio()
      return KeyValueConverter(
        to: { $0 * factor.value + 32 }, from: { ($0 - 32) / factor.value })
    }

    // MARK: Directions

    @Test("P63: the second side of a one-way binding may be set, until the first one changes")
    func oneWay() {
      let binding = source.bind(\.foo, to: target, \.bar, .oneWay)
      source.foo = 42
      #expect(target.bar == 42)
      target.bar = 47
      #expect(source.foo == 42)
      binding.invalidate()
      source.foo = 0
      #expect(target.bar == 47)
    }

    @Test("P63: either side of a binding follows the other, until it is released")
    func bothWays() {
      var binding: KeyValueBinding? = source.bind(\.foo, to: target, \.bar)
      source.foo = 42
      #expect(target.bar == 42)
      target.bar = 47
      #expect(source.foo == 47)
      #expect(binding?.isActive == true)
      binding = nil
      source.foo = 0
      #expect(target.bar == 47)
    }

    @Test("P63: the second side takes the value of the first, in both directions")
    func valueAtTheBeginning() {
      source.foo = 42
      target.bar = 47
      var binding = source.bind(\.foo, to: target, \.bar, .oneWay)
      #expect((source.foo, target.bar) == (42, 42))
      source.foo = 47
      #expect(target.bar == 47)
      binding.invalidate()
      target.bar = 49
      binding = source.bind(\.foo, to: target, \.bar)
      #expect((source.foo, target.bar) == (47, 47))
      binding.invalidate()
    }

    @Test("P63: two properties of one object are bound as those of two are")
    func sameObject() {
      (source.foo, source.bar) = (100, 50)
      source.bind(\.foo, to: source, \.bar).store(in: &journal.tokens)
      source.foo = 10
      #expect((source.foo, source.bar) == (10, 10))
      source.bar = 30
      #expect((source.foo, source.bar) == (30, 30))
    }

    @Test("P65, P67: a chain follows from end to end, and is broken where its bindings end")
    func chain() {
      let (a, b, c) = (Knob(), Knob(), Knob())
      let bindings = [a.bind(\.foo, to: b, \.foo), b.bind(\.foo, to: c, \.foo)]
      a.foo = 42
      #expect((b.foo, c.foo) == (42, 42))
      for binding in bindings { binding.invalidate() }
      a.bind(\.foo, to: c, \.foo).store(in: &journal.tokens)
      a.foo = 47
      #expect((b.foo, c.foo) == (42, 47))
    }

    // MARK: Conversion

    @Test("P66: keys of an integer and a floating-point property are bound without a converter")
    func conversionByDefault() throws {
      try source.bind("foo", to: target, "degrees").store(in: &journal.tokens)
      source.foo = 24
      #expect(target.degrees == 24)
      target.degrees = 69
      #expect(source.foo == 69)
    }

    @Test("P66: properties of types that do not convert are not bound without a converter")
    func conversionFails() {
      #expect(throws: KeyValueCodingError.self) {
        try source.bind("text", to: target, "isOn").store(in: &journal.tokens)
      }
      let identifiers = reportedIdentifiers { source.text = "b" }
      #expect(identifiers == [])
      target.isOn = true
      #expect(source.text == "b")
    }

    @Test("P66: values are converted in both directions")
    func conversion() {
      source.bind(\.degrees, to: target, \.degrees, converting: toFahrenheit())
        .store(in: &journal.tokens)
      source.degrees = 25
      #expect(target.degrees == 77)
      target.degrees = 50
      #expect(source.degrees == 10)
    }

    @Test("P66: a converter may invert a Boolean value")
    func invertedBoolean() {
      source.isOn = true
      source.bind(\.isOn, to: target, \.isOn, converting: KeyValueConverter(to: !, from: !))
        .store(in: &journal.tokens)
      #expect(!target.isOn)
      source.isOn = false
      #expect(target.isOn)
      target.isOn = false
      #expect(source.isOn)
    }

    @Test("P66: a property of a class is bound to one of a subclass, for objects of the subclass")
    func objects() {
      let shelf = Shelf()
      let toSpare = KeyValueConverter<Part?, SparePart?>(
        to: { part in part.map { $0 as? SparePart } ?? .some(nil) }, from: { .some($0) })
      source.bind(\.part, to: shelf, \.spare, converting: toSpare).store(in: &journal.tokens)
      let spare = SparePart()
      source.part = spare
      #expect(shelf.spare === spare)
      shelf.spare = nil
      #expect(source.part == nil)
    }

    @Test(
      "P32, P67: what a converter captures is released with the token, or when it is invalidated",
      arguments: [false, true])
    func converterIsReleased(isInvalidated: Bool) {
      weak var factor: Ratio?
      var binding: KeyValueBinding?
      do {
        let captured = Ratio()
        factor = captured
        binding = source.bind(
          \.degrees, to: target, \.degrees,
          converting: KeyValueConverter(
            to: { $0 * captured.value }, from: { $0 / captured.value }))
      }
      source.degrees = 5
      #expect(target.degrees == 9)
      #expect(factor != nil)
      if isInvalidated { binding?.invalidate() } else { binding = nil }
      #expect(factor == nil)
      withExtendedLifetime(binding) {}
    }

    @Test("P67: a converter may end its own binding, which then writes nothing more")
    func converterEndsBinding() {
      var binding: KeyValueBinding?
      binding = source.bind(\.foo, to: target, \.bar, .oneWay) { value in
        if value == 2 { binding?.invalidate() }
        return value
      }
      source.foo = 1
      source.foo = 2
      source.foo = 3
      #expect(binding?.isActive == false)
      #expect(target.bar == 1)
      binding = nil
    }

    // MARK: Lifetime

    @Test("P67: a binding may be ended any number of times, also one within an object")
    func endedManyTimes() {
      for binding in [
        source.bind(\.foo, to: target, \.bar), source.bind(\.foo, to: source, \.bar),
      ] {
        for _ in 0..<50 { binding.invalidate() }
        #expect(!binding.isActive)
      }
      source.foo = 1
      #expect((source.bar, target.bar) == (0, 0))
    }

    @Test("P67: a binding ends with either object", arguments: [true, false])
    func endsWithEitherObject(isSourceFirst: Bool) {
      var (source, target): (Knob?, Knob?) = (Knob(), Knob())
      let binding = source!.bind(\.foo, to: target!, \.bar)
      if isSourceFirst { source = nil } else { target = nil }
      #expect(!binding.isActive)
      source?.foo = 1
      target?.bar = 2
      #expect(source?.foo ?? target?.bar == (isSourceFirst ? 2 : 1))
    }

    @Test(
      "P67: a binding of one object's properties ends with the object, which it does not retain")
    func endsWithItsObject() {
      weak var former: Knob?
      let binding: KeyValueBinding
      do {
        let knob = Knob()
        former = knob
        binding = knob.bind(\.foo, to: knob, \.bar)
        #expect(binding.isActive)
      }
      #expect(former == nil)
      #expect(!binding.isActive)
    }
  }
}
