// Behaviors of JavaFX, from `BidirectionalBindingTest.java` and
// `BidirectionalBindingWithConversionTest.java` in
// `modules/javafx.base/src/test/java/test/com/sun/javafx/binding/`.
//
// Not ours: the first property takes the value of the second; here it is the other way round (P63).
// A binding is equal to another one of the same properties, and is ended by naming them; here it is
// a token, equal to itself only. A text that cannot be parsed sets nil, or is set back; here both
// sides keep their values (P66). Nil arguments do not compile.

import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

private final class Box {}

/// A value that cannot be compared.
private struct Incomparable {
  var number = 0
}

@KeyValueObservable
private final class Typed {
  var bool = false
  var double = 0.0
  var float: Float = 0
  var int = 0
  var long: Int64 = 0
  var object: Box?
  var string = ""
  var incomparable = Incomparable()
}

extension PeerBehavior {
  @Suite struct JavaFXBindings {
    private let journal = Journal()
    private let first = Typed()
    private let second = Typed()
    private let third = Typed()

    // MARK: Values

    private func expectFollowing<Value>(
      _ keyPath: ReferenceWritableKeyPath<Typed, Value>, _ values: [Value],
      _ isSame: (Value, Value) -> Bool, location: SourceLocation = #_sourceLocation
    ) {
      first[keyPath: keyPath] = values[0]
      second[keyPath: keyPath] = values[1]
      let binding = first.bind(keyPath, to: second, keyPath)
      #expect(isSame(second[keyPath: keyPath], values[0]), sourceLocation: location)
      first[keyPath: keyPath] = values[2]
      #expect(isSame(second[keyPath: keyPath], values[2]), sourceLocation: location)
      second[keyPath: keyPath] = values[3]
      #expect(isSame(first[keyPath: keyPath], values[3]), sourceLocation: location)
      binding.invalidate()
      first[keyPath: keyPath] = values[0]
      #expect(isSame(second[keyPath: keyPath], values[3]), sourceLocation: location)
    }

    @Test("P63: values of any type follow, in both directions, until the binding ends")
    func types() {
      expectFollowing(\.bool, [true, false, false, true], ==)
      expectFollowing(\.double, [2348.2, -92.2, -214.0, -908.2], ==)
      expectFollowing(\.float, [-3592.9, 234872.8, 3897.3, 3958.9], ==)
      expectFollowing(\.int, [248, -9384, -234, -34], ==)
      expectFollowing(\.long, [9_823_984, 2_908_934, -234_234, 9_089_234], ==)
      expectFollowing(\.object, [Box(), nil, Box(), Box()], ===)
      expectFollowing(\.string, ["A", "B", "C", "D"], ==)
      expectFollowing(\.incomparable, (0..<4).map(Incomparable.init)) { $0.number == $1.number }
    }

    @Test("P63, P64: a value that cannot be compared is written once, and does not come back")
    func valuesThatCannotBeCompared() {
      first.bind(\.incomparable, to: second, \.incomparable).store(in: &journal.tokens)
      for (name, side) in [("first", first), ("second", second)] {
        side.observe(\.incomparable) { side, _ in
          journal.write("\(name) \(side.incomparable.number)")
        }
        .store(in: &journal.tokens)
      }
      second.incomparable = Incomparable(number: 1)
      #expect(journal.take() == ["second 1", "first 1"])
    }

    @Test("P65: sides that are set one after the other have the later value")
    func setOneAfterTheOther() {
      first.bind(\.string, to: second, \.string).store(in: &journal.tokens)
      journal.follow(first, \.string, as: "first")
      journal.follow(second, \.string, as: "second")
      first.string = "A"
      second.string = "B"
      #expect(journal.take() == ["first →A", "second →A", "second A→B", "first A→B"])
    }

    // MARK: Several bindings

    @Test("P64, P67: sides that are bound twice change once, and stay bound by either binding")
    func boundTwice() {
      let bindings = (0..<2).map { _ in first.bind(\.int, to: second, \.int) }
      journal.follow(first, \.int, as: "first")
      journal.follow(second, \.int, as: "second")
      first.int = 2
      #expect(journal.take() == ["first 0→2", "second 0→2"])
      second.int = 3
      #expect(journal.take() == ["second 2→3", "first 2→3"])
      #expect(bindings[0] != bindings[1])
      bindings[0].invalidate()
      first.int = 4
      #expect(second.int == 4)
      bindings[1].invalidate()
      first.int = 5
      #expect(second.int == 4)
    }

    @Test("P65: each of three sides sets the other two, and two of them when a binding has ended")
    func chaining() {
      let sides = [first, second, third]
      first.int = 7
      let binding = first.bind(\.int, to: second, \.int)
      second.bind(\.int, to: third, \.int).store(in: &journal.tokens)
      #expect(sides.map(\.int) == [7, 7, 7])
      for (value, side) in sides.enumerated() {
        side.int = value
        #expect(sides.map(\.int) == [value, value, value])
      }
      binding.invalidate()
      first.int = 10
      #expect(sides.map(\.int) == [10, 2, 2])
      second.int = 11
      #expect(sides.map(\.int) == [10, 11, 11])
      third.int = 12
      #expect(sides.map(\.int) == [10, 12, 12])
    }

    // MARK: Lifetime

    private func hasObserver(_ side: Typed) -> Bool {
      let key = side.observationContext.observedKey(named: KeyName("int"))
      return key?.takeUnretainedValue().state.isObserved ?? false
    }

    @Test(
      "P5, P67: the side that remains has no observer left after its next change",
      arguments: [true, false])
    func weakReferences(isFirstReleased: Bool) {
      weak var former: Typed?
      do {
        let typed = Typed()
        former = typed
        let binding =
          isFirstReleased
          ? typed.bind(\.int, to: second, \.int) : second.bind(\.int, to: typed, \.int)
        binding.store(in: &journal.tokens)
        #expect(hasObserver(second))
      }
      #expect(former == nil)
      second.int = 1
      #expect(second.int == 1)
      #expect(!hasObserver(second))
    }

    @Test("P63: a property that is bound to itself is reported, and the binding is not active")
    func boundToItself() {
      let identifiers = reportedIdentifiers {
        #expect(!first.bind(\.int, to: first, \.int).isActive)
      }
      #expect(identifiers == ["bindingToItself"])
    }

    // MARK: Conversion

    private func bindText() -> KeyValueBinding {
      first.bind(
        \.int, to: second, \.string,
        converting: KeyValueConverter(
          to: { String($0, radix: 16) }, from: { Int($0, radix: 16) }))
    }

    @Test("P66, P67: a text follows a number and the number follows the text, until the end")
    func conversion() {
      first.int = 255
      second.string = "1"
      let binding = bindText()
      #expect(second.string == "ff")
      first.int = 10
      #expect(second.string == "a")
      second.string = "10"
      #expect(first.int == 16)
      binding.invalidate()
      first.int = 1
      second.string = "2"
      #expect((first.int, second.string) == (1, "2"))
    }

    @Test("P66: a text that is no number stays, and so does the number")
    func unparsableText() {
      first.int = 255
      bindText().store(in: &journal.tokens)
      let identifiers = reportedIdentifiers {
        second.string = "gg"
        #expect((first.int, second.string) == (255, "gg"))
        second.string = ""
      }
      #expect(identifiers == ["unconvertedBoundValue"])
      #expect((first.int, second.string) == (255, ""))
      second.string = "FE"
      #expect((first.int, second.string) == (254, "FE"))
    }
  }
}
