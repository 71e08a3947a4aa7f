// Behaviors of traitlets, from `tests/test_traitlets.py`: held notifications, roll-back, `link` and
// `directional_link`.
//
// Not ours: a hold takes back only after a `TraitError`, restores by name, and ignores an inner
// block that fails. Here any error takes back all that its own block has changed (P50, P52). A link
// that is broken by an observer raises an error there; here the sides stay equal, and the observer
// is stopped (P18). A link that was ended is not resumed, but made anew. Validators, default
// values, and the parsing of text are no part of this library.

import KeyValueObserving
import Testing

@KeyValueObservable
private final class Slider {
  var value = 0
}

@KeyValueObservable
private final class Meter {
  var count = 0
}

@KeyValueObservable
private final class Letters {
  var a = ""
  var b = ""
  var c = ""
  var d = ""
  var all: String { a + b + c + d }
}

@KeyValueObservable
private final class Twins {
  var left = 0 {
    didSet { if right != left { right = left } }
  }
  var right = 0 {
    didSet { if left != right { left = right } }
  }
}

extension PeerBehavior {
  @Suite struct Traitlets {
    private let journal = Journal()

    private func sliderAndMeter() -> (Slider, Meter) {
      let (slider, meter) = (Slider(), Meter())
      slider.value = 9
      meter.count = 8
      return (slider, meter)
    }

    // MARK: Held notifications

    @Test("P44, P52: nested transactions notify once, from the first value to the last")
    func nestedHolds() {
      let slider = Slider()
      journal.follow(slider, \.value)
      withKeyValueTransaction {
        withKeyValueTransaction { slider.value = 1 }
        #expect(slider.value == 1)
        slider.value = 2
        withKeyValueTransaction {
          slider.value = 3
          slider.value = 4
          #expect(slider.value == 4)
        }
        slider.value = 4
        #expect(journal.take() == [])
      }
      #expect(journal.take() == ["value 0→4"])
    }

    @Test(
      "P50: any error takes back what was set, and the next change begins from there",
      arguments: [Refused() as any Error, CancellationError()])
    func rollBack(error: any Error) {
      let slider = Slider()
      journal.follow(slider, \.value)
      #expect(throws: (any Error).self) {
        try withKeyValueTransaction {
          slider.value = 1
          throw error
        }
      }
      #expect(slider.value == 0)
      #expect(journal.take() == [])
      slider.value = 2
      #expect(journal.take() == ["value 0→2"])
    }

    @Test("P52: an inner block that fails takes back its own changes, and the outer one goes on")
    func innerRollBack() {
      let (slider, meter) = sliderAndMeter()
      journal.follow(slider, \.value)
      journal.follow(meter, \.count)
      withKeyValueTransaction {
        slider.value = 1
        try? withKeyValueTransaction {
          slider.value = 2
          meter.count = 3
          throw Refused()
        }
        #expect((slider.value, meter.count) == (1, 8))
      }
      #expect(journal.take() == ["value 9→1"])
    }

    @Test("P24: every observer sees the values of all properties that were set together")
    func allValuesAreThere() {
      let letters = Letters()
      let keyPaths: [ReferenceWritableKeyPath<Letters, String>] = [\.a, \.b, \.c, \.d]
      for keyPath in keyPaths {
        letters.observe(keyPath) { letters, _ in journal.write(letters.all) }
          .store(in: &journal.tokens)
      }
      withKeyValueTransaction {
        for (keyPath, letter) in zip(keyPaths, ["a", "b", "c", "d"]) {
          letters[keyPath: keyPath] = letter
        }
      }
      #expect(journal.take() == ["abcd", "abcd", "abcd", "abcd"])
    }

    @Test("P44, P46: properties that set each other change once, in the order of their changes")
    func mutualSets() {
      let twins = Twins()
      journal.follow(twins, \.left)
      journal.follow(twins, \.right)
      withKeyValueTransaction { twins.right = 1 }
      #expect(journal.take() == ["right 0→1", "left 0→1"])
      withKeyValueTransaction { twins.left = 2 }
      #expect(journal.take() == ["left 1→2", "right 1→2"])
    }

    // MARK: Links

    @Test("P63: properties of different names and classes are equal from the binding on")
    func link() {
      let (slider, meter) = sliderAndMeter()
      slider.bind(\.value, to: meter, \.count).store(in: &journal.tokens)
      #expect(meter.count == 9)
      slider.value = 5
      #expect(meter.count == 5)
      meter.count = 4
      #expect(slider.value == 4)
    }

    @Test("P63, P67: sides whose binding has ended go apart, and a new one makes them equal")
    func unlink() {
      let (slider, meter) = sliderAndMeter()
      let binding = slider.bind(\.value, to: meter, \.count)
      slider.value = 4
      binding.invalidate()
      slider.value = 5
      #expect((slider.value, meter.count) == (5, 4))
      slider.bind(\.value, to: meter, \.count).store(in: &journal.tokens)
      #expect(meter.count == 5)
      slider.value += 1
      #expect(meter.count == 6)
    }

    @Test("P64: observers of both sides are notified once, those of the side that was set first")
    func callbacks() {
      let (slider, meter) = sliderAndMeter()
      journal.follow(slider, \.value)
      journal.follow(meter, \.count)
      slider.bind(\.value, to: meter, \.count).store(in: &journal.tokens)
      #expect(journal.take() == ["count 8→9"])
      meter.count = 5
      #expect(journal.take() == ["count 9→5", "value 9→5"])
      slider.value = 4
      #expect(journal.take() == ["value 5→4", "count 5→4"])
    }

    @Test("P66: a converter is used in both directions")
    func transform() {
      let (slider, meter) = sliderAndMeter()
      let converter = KeyValueConverter<Int, Int>(to: { $0 * 2 }, from: { $0 / 2 })
      slider.bind(\.value, to: meter, \.count, converting: converter).store(in: &journal.tokens)
      #expect(meter.count == 18)
      slider.value = 5
      #expect(meter.count == 10)
      meter.count = 6
      #expect(slider.value == 3)
    }

    @Test(
      "P18, P65: sides stay equal though an observer keeps changing one of them",
      arguments: [false, true])
    func brokenLink(atTarget: Bool) {
      let (slider, meter) = sliderAndMeter()
      slider.bind(\.value, to: meter, \.count).store(in: &journal.tokens)
      meter.observe(\.count) { meter, _ in
        if atTarget { meter.count += 1 } else { slider.value += 1 }
      }.store(in: &journal.tokens)
      let identifiers = reportedIdentifiers {
        if atTarget { slider.value = 2 } else { meter.count = 2 }
      }
      #expect(identifiers == ["nonConvergence"])
      #expect(slider.value == meter.count)
      #expect(slider.value > 2)
    }

    @Test("P63: a one-way binding leaves its first side alone, and overwrites the second one")
    func directionalLink() {
      let (slider, meter) = sliderAndMeter()
      slider.bind(\.value, to: meter, \.count, .oneWay).store(in: &journal.tokens)
      #expect(meter.count == 9)
      meter.count = 6
      #expect(slider.value == 9)
      slider.value = 5
      #expect(meter.count == 5)
    }

    @Test("P63, P66: a one-way binding with a converter")
    func directionalTransform() {
      let (slider, meter) = sliderAndMeter()
      slider.bind(\.value, to: meter, \.count, .oneWay, converting: { $0 * 2 })
        .store(in: &journal.tokens)
      #expect(meter.count == 18)
      slider.value = 5
      #expect(meter.count == 10)
      meter.count = 6
      #expect(slider.value == 5)
    }

    @Test("P67: a one-way binding that has ended writes nothing, until it is made anew")
    func directionalUnlink() {
      let (slider, meter) = sliderAndMeter()
      let binding = slider.bind(\.value, to: meter, \.count, .oneWay)
      binding.invalidate()
      slider.value = 5
      #expect(meter.count == 9)
      slider.bind(\.value, to: meter, \.count, .oneWay).store(in: &journal.tokens)
      #expect(meter.count == 5)
    }
  }
}
