// Behaviors of ReactiveUI, from `PropertyBindingTest.cs` of its tests for XAML.
//
// Not ours: values are converted by a registry of converters with hints; here a converter is given,
// or keys are bound as strings, which convert without loss (P42, P66). A binding there hands
// changes over to the thread of a user interface; here both objects are used on one thread or actor
// (P38). Item controls, templates, and triggers that delay a binding belong to user interfaces.

import KeyValueObserving
import Testing

@KeyValueObservable
private final class Model {
  var thing = "Baz"
}

@KeyValueObservable
private final class ViewModel {
  var name: String?
  var number = 0
  var double = 0.0
  var optionalDouble: Double?
  var strings = ["Foo", "Bar"]
  var model: Model?
}

@KeyValueObservable
private final class Control {
  var text = "" {
    didSet { setCount += 1 }
  }
  var optionalText: String?
  var count = 0
  var double = 0.0
  var optionalDouble: Double?
  @KeyValueIgnored var setCount = 0
}

@KeyValueObservable
private final class Window {
  var viewModel: ViewModel?
  var control = Control()
}

extension PeerBehavior {
  @Suite struct ReactiveUIBindings {
    private let journal = Journal()
    private let viewModel = ViewModel()
    private let control = Control()

    // MARK: Conversion

    private func bindNumber() -> KeyValueBinding {
      viewModel.bind(
        \.number, to: control, \.text,
        converting: KeyValueConverter(to: { "\($0)" }, from: { Int($0) }))
    }

    @Test("P63, P66: a number is shown, follows what is typed, and is left alone after the end")
    func numberInTextField() {
      viewModel.number = 123
      let binding = bindNumber()
      #expect((viewModel.number, control.text) == (123, "123"))
      control.text = "567"
      #expect(viewModel.number == 567)
      binding.invalidate()
      viewModel.number = 0
      #expect(control.text == "567")
    }

    @Test("P66: what is typed stays while it is no number, and so does the number")
    func invalidText() {
      viewModel.number = 17
      bindNumber().store(in: &journal.tokens)
      let identifiers = reportedIdentifiers {
        for text in ["--", "", "1.2"] {
          control.text = text
          #expect((viewModel.number, control.text) == (17, text))
        }
      }
      #expect(identifiers == ["unconvertedBoundValue"])
      control.text = "13"
      #expect(viewModel.number == 13)
    }

    @Test("P66: a text that is another form of the number does not come back as it is printed")
    func otherFormOfNumber() {
      bindNumber().store(in: &journal.tokens)
      control.text = "007"
      #expect((viewModel.number, control.text) == (7, "007"))
    }

    // MARK: Optional values

    @Test("P66: nil is not written to a property that is not optional")
    func optionalToNotOptional() {
      let identifiers = reportedIdentifiers {
        viewModel.bind(
          \.optionalDouble, to: control, \.double,
          converting: KeyValueConverter(to: { $0 }, from: { .some($0) })
        ).store(in: &journal.tokens)
        #expect(control.double == 0)
        viewModel.optionalDouble = 4
        #expect(control.double == 4)
        viewModel.optionalDouble = nil
        #expect(control.double == 4)
        #expect(viewModel.optionalDouble == nil)
        control.double = 5
        #expect(viewModel.optionalDouble == 5)
      }
      #expect(identifiers == ["unconvertedBoundValue"])
    }

    @Test("P66: nil that is set on the second side is not written to the first one")
    func notOptionalToOptional() {
      let identifiers = reportedIdentifiers {
        viewModel.bind(
          \.double, to: control, \.optionalDouble,
          converting: KeyValueConverter(to: { .some($0) }, from: { $0 })
        ).store(in: &journal.tokens)
        for (value, written) in [(4.0, 4.0), (nil, 4.0), (0.0, 0.0)] as [(Double?, Double)] {
          control.optionalDouble = value
          #expect(viewModel.double == written)
        }
      }
      #expect(identifiers == ["unconvertedBoundValue"])
    }

    @Test("P63: nil is a value of two optional properties")
    func bothOptional() {
      viewModel.bind(\.optionalDouble, to: control, \.optionalDouble).store(in: &journal.tokens)
      for value in [4, nil, 0] as [Double?] {
        control.optionalDouble = value
        #expect(viewModel.optionalDouble == value)
      }
      for value in [3, nil] as [Double?] {
        viewModel.optionalDouble = value
        #expect(control.optionalDouble == value)
      }
    }

    @Test("P63: a one-way binding follows from nil to a value, and from a value to nil")
    func oneWayOptional() {
      viewModel.bind(\.name, to: control, \.optionalText, .oneWay).store(in: &journal.tokens)
      #expect(control.optionalText == nil)
      viewModel.name = "Baz"
      #expect(control.optionalText == "Baz")
      viewModel.name = nil
      #expect(control.optionalText == nil)
    }

    // MARK: Elements

    @Test("P28, P63: an element of an array, and a property of it, are followed")
    func elements() {
      viewModel.bind(\.strings[0], to: control, \.text, .oneWay).store(in: &journal.tokens)
      viewModel.bind(\.strings[0].count, to: control, \.count, .oneWay)
        .store(in: &journal.tokens)
      #expect((control.text, control.count) == ("Foo", 3))
      viewModel.strings[0] = "Quux"
      #expect((control.text, control.count) == ("Quux", 4))
      viewModel.mutableArrayValue(for: \.strings).insert("Q", at: 0)
      #expect((control.text, control.count) == ("Q", 1))
    }

    // MARK: Objects on the way

    private func window() -> Window {
      let window = Window()
      window.control.text = "nothing yet"
      return window
    }

    @Test("P67: nothing is written before there is an object, and then its value is")
    func objectComesLater() throws {
      let window = window()
      try window.bind(\.viewModel?.model?.thing, to: window, \.control.text)
        .store(in: &journal.tokens)
      #expect(window.control.text == "nothing yet")
      window.viewModel = viewModel
      #expect(window.control.text == "nothing yet")
      viewModel.model = Model()
      #expect(window.control.text == "Baz")
      window.control.text = "typed"
      #expect(viewModel.model?.thing == "typed")
    }

    @Test("P66: a converter of a one-way binding gives a value for an object that is nil")
    func selector() {
      viewModel.model = Model()
      viewModel.bind(\.model, to: control, \.text, .oneWay) { $0?.thing ?? "none" }
        .store(in: &journal.tokens)
      #expect(control.text == "Baz")
      viewModel.model = nil
      #expect(control.text == "none")
    }

    @Test("P5, P67: a view model that is replaced is not retained, and not written any more")
    func replacedViewModel() throws {
      let window = window()
      weak var former: ViewModel?
      do {
        let first = ViewModel()
        first.model = Model()
        former = first
        window.viewModel = first
        try window.bind(\.viewModel?.model?.thing, to: window.control, \.text)
          .store(in: &journal.tokens)
        first.model?.thing = "first"
        #expect(window.control.text == "first")
      }
      viewModel.model = Model()
      window.viewModel = viewModel
      #expect(former == nil)
      #expect(window.control.text == "Baz")
      window.control.text = "second"
      #expect(viewModel.model?.thing == "second")
    }

    @Test(
      "P64, P65: in a transaction the later set wins, also one of an observed object that is new",
      arguments: ["object", "text", "property"])
    func replacedInTransaction(last: String) throws {
      let window = window()
      window.viewModel = viewModel
      viewModel.model = Model()
      try window.bind(\.viewModel?.model?.thing, to: window.control, \.text)
        .store(in: &journal.tokens)
      journal.follow(window.control, \.text)
      let (former, present) = (viewModel.model, Model())
      present.observe(\.thing) { _, _ in }.store(in: &journal.tokens)
      withKeyValueTransaction {
        if last != "object" { viewModel.model = present }
        window.control.text = "typed"
        if last == "object" { viewModel.model = present }
        if last == "property" { present.thing = "new" }
      }
      let text = ["object": "Baz", "text": "typed", "property": "new"][last]!
      #expect((window.control.text, present.thing) == (text, text))
      #expect(former?.thing == "Baz")
      #expect(journal.take() == ["text Baz→\(text)"])
    }

    @Test("P63: a side is set once for each value, however often the other side is set to it")
    func setOncePerValue() {
      let window = window()
      viewModel.name = "Start"
      viewModel.bind(\.name, to: window, \.control.text, .oneWay) { $0 }
        .store(in: &journal.tokens)
      window.control.setCount = 0
      for name in ["Alpha", "Alpha", "Beta", "Beta", "Beta", "Gamma"] { viewModel.name = name }
      #expect(window.control.setCount == 3)
      #expect(window.control.text == "Gamma")
    }

    @Test("P63, P67: an object on the way to the second side of a one-way binding is replaced")
    func replacedTarget() {
      let window = window()
      viewModel.name = "Start"
      viewModel.bind(\.name, to: window, \.control.text, .oneWay) { $0 }
        .store(in: &journal.tokens)
      for name in ["Delta", "Epsilon", "Zeta"] {
        let former = window.control
        let formerText = former.text
        window.control = Control()
        #expect(window.control.text == "")
        viewModel.name = name
        #expect(window.control.text == name)
        #expect(window.control.setCount == 1)
        #expect(former.text == formerText)
      }
    }
  }
}
