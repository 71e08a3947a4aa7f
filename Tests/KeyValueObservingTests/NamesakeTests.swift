import KeyValueObserving
import Testing

@KeyValueObservable
private class Form {
  private var state = 0
  private var fields = ["a"]
  private weak var owner: Form?
  private var summary: Int { state }
  var isEdited: Bool { summary > 0 }
  var hasOwner: Bool { owner != nil }
  @KeyValueDependent(on: "state") var version: Int { 1 }

  func edit() { state += 1 }
  func extend() { mutableArrayValue(for: \.fields).append("b") }
  func notify() { withMutation(of: \.state) { state += 1 } }
  func belong(to form: Form?) { owner = form }

  func observe(_ recorder: Recorder) -> [KeyValueObservation] {
    let options: KeyValueObservation.Options = [.old, .new]
    return [
      observe(\.state, options: options, changeHandler: recorder.receives("form state")),
      observe(\.fields, options: options, changeHandler: recorder.receives("form fields")),
      observe(\.owner?.isEdited, options: options, changeHandler: recorder.receives("form owner")),
      observe(\.summary, options: options, changeHandler: recorder.receives("form summary")),
    ]
  }
}

@KeyValueObservable
private final class Survey: Form {
  private var state = "open"
  private var fields = [1]
  private var owner: String?
  private var summary: String { state }
  var label: String { "\(summary) \(owner ?? "nobody")" }

  func close() { state = "closed" }
  func shorten() { fields.removeLast() }
  func own(_ name: String) { owner = name }

  func observeAll(_ recorder: Recorder) -> [KeyValueObservation] {
    let options: KeyValueObservation.Options = [.old, .new]
    return [
      observe(\.state, options: options, changeHandler: recorder.receives("state")),
      observe(\.fields, options: options, changeHandler: recorder.receives("fields")),
      observe(\.owner, options: options, changeHandler: recorder.receives("owner")),
      observe(\.summary, options: options, changeHandler: recorder.receives("summary")),
    ]
  }
}

@KeyValueObservable
private class Single {
  fileprivate var value = 1
}

@KeyValueObservable
private final class Double: Single {
  fileprivate override var value: Int {
    get { super.value * 2 }
    set { super.value = newValue }
  }
}

@KeyValueObservable
private class Page {
  var title = ""
  private var lines = [1]
  private var next: Page?
  private var note = ""
  private var number = 0
  var numbers: ClosedRange<Int> { number...number + 1 }
  @KeyValueDependent(on: "next.title") var link: Int { 1 }
  @KeyValueDependent(on: "title") private var mark: Int { 1 }

  func add(_ line: Int) { mutableArrayValue(for: \.lines).append(line) }
  func turn(to page: Page?) { next = page }
  func renumber() { number += 1 }
  func mention(_ text: String) { note = text }

  func observe(_ recorder: Recorder) -> [KeyValueObservation] {
    let options: KeyValueObservation.Options = [.old, .new]
    return [
      observe(\.next?.lines, options: options, changeHandler: recorder.receives("next lines")),
      observe(\.next?.note, options: .new, changeHandler: recorder.receives("next note")),
      observe(\.mark, options: options, changeHandler: recorder.receives("page mark")),
    ]
  }
}

@KeyValueObservable
private final class Cover: Page {
  var lines: String { title }
  private var next = 0
  private var note = ""
  private var number: Page?
  @KeyValueDependent(on: "next") private var mark: Int { 2 }

  func count() { next += 1 }
  func hide(_ text: String) { note = text }

  func observeMark(_ recorder: Recorder) -> KeyValueObservation {
    observe(\.mark, options: [.old, .new], changeHandler: recorder.receives("mark"))
  }
}

private enum Old {
  @KeyValueObservable
  class Shelf {
    private var books = 0

    func add() { books += 1 }

    func observe(_ recorder: Recorder) -> KeyValueObservation {
      observe(\.books, options: [.old, .new], changeHandler: recorder.receives("old"))
    }
  }
}

@KeyValueObservable
private final class Shelf: Old.Shelf {
  private var books = "none"

  func fill() { books = "all" }

  func observeBooks(_ recorder: Recorder) -> KeyValueObservation {
    observe(\.books, options: [.old, .new], changeHandler: recorder.receives("new"))
  }
}

extension AllTests {
  /// A private property is invisible to subclasses, which may have one of the same name.
  @Suite("Private properties and their namesakes")
  struct NamesakeTests {
    private let recorder = Recorder()
    private let survey = Survey()

    @Test("P11: each of two private properties of one name receives its own changes only")
    func values() {
      let tokens = survey.observe(recorder) + survey.observeAll(recorder)
      survey.edit()
      #expect(recorder.take() == ["form state 0→1", "form summary 0→1"])
      survey.close()
      #expect(recorder.take() == ["state open→closed", "summary open→closed"])
      survey.extend()
      #expect(recorder.take() == [#"form fields →["b"] insertion [1]"#])
      survey.shorten()
      #expect(recorder.take() == ["fields [1]→[]"])
      survey.own("Ann")
      #expect(recorder.take() == ["owner nil→Ann"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21, P27: dependents of one of them are notified of that one")
    func dependents() throws {
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        survey.observe(\.label, options: options, changeHandler: recorder.receives("label")),
        survey.observe(\.isEdited, options: options, changeHandler: recorder.receives("edited")),
        try survey.observe("hasOwner", options: options, changeHandler: recorder.receives("owned")),
      ]
      survey.edit()
      #expect(recorder.take() == ["edited false→true"])
      survey.close()
      survey.own("Ann")
      #expect(
        recorder.take() == ["label open nobody→closed nobody", "label closed nobody→closed Ann"])
      var form: Form? = Form()
      survey.belong(to: form)
      #expect(recorder.take() == ["owned false→true"])
      form = nil
      #expect(recorder.take() == ["owned true→false"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P26: one is notified manually, and leads to an object, like any other property")
    func others() {
      let tokens = survey.observe(recorder)
      survey.notify()
      #expect(recorder.take() == ["form state 0→1", "form summary 0→1"])
      let owner = Form()
      survey.belong(to: owner)
      owner.edit()
      #expect(recorder.take() == ["form owner nil→false path", "form owner false→true"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P10, P35: a path that ends in one of them receives its mutations")
    func edits() {
      let (page, cover) = (Page(), Cover())
      let tokens = page.observe(recorder)
      page.turn(to: cover)
      #expect(recorder.take() == ["next lines nil→[1] path", "next note → path"])
      cover.add(2)
      cover.title = "Atlas"
      #expect(recorder.take() == ["next lines →[2] insertion [1]"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26: what one of them holds says whether a path leads through it")
    func reason() {
      let cover = Cover()
      let token = cover.observe(
        \.numbers.upperBound, options: .new, changeHandler: recorder.receives("number"))
      cover.renumber()
      #expect(recorder.take() == ["number →2"])
      token.invalidate()
    }

    @Test("P21: a declared key path runs through the one that the declaring class sees")
    func declaredPath() {
      let cover = Cover()
      let next = Page()
      let reports = Diagnostics()
      cover.turn(to: next)
      let token = cover.observe(\.link, changeHandler: recorder.receives("link"))
      next.title = "Maps"
      cover.turn(to: nil)
      #expect(recorder.take() == ["link →", "link →"])
      #expect(reports.take().isEmpty)
      token.invalidate()
    }

    @Test("P21, P22: each of two private computed properties has what is declared for it alone")
    func declared() {
      let cover = Cover()
      let tokens = cover.observe(recorder) + [cover.observeMark(recorder)]
      cover.title = "Atlas"
      #expect(recorder.take() == ["page mark 1→1"])
      cover.count()
      #expect(recorder.take() == ["mark 2→2"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: their classes may have one name, where one is inside of another type")
    func classesOfOneName() {
      let shelf = Shelf()
      let tokens = [shelf.observe(recorder), shelf.observeBooks(recorder)]
      shelf.add()
      #expect(recorder.take() == ["old 0→1"])
      shelf.fill()
      #expect(recorder.take() == ["new none→all"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P21: a property that overrides one of its file is the one that observers receive")
    func override() throws {
      let double = Double()
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        double.observe(\.value, options: options, changeHandler: recorder.receives("double")),
        (double as Single).observe(
          \.value, options: options, changeHandler: recorder.receives("single")),
      ]
      double.value = 5
      #expect(recorder.take() == ["double 2→10", "single 2→10"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: a typed path through one of them does not lead to the other of the same type")
    func sameType() {
      let (page, cover) = (Page(), Cover())
      let tokens = page.observe(recorder)
      page.turn(to: page)
      let other = Cover()
      cover.turn(to: other)
      page.turn(to: cover)
      _ = recorder.take()
      cover.hide("draft")
      #expect(recorder.take().isEmpty)
      cover.mention("final")
      #expect(recorder.take() == ["next note →final"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21, P42: the key of a private property is its name")
    func keys() throws {
      for form in [Form(), survey] {
        let token = form.observe(\.version, changeHandler: recorder.receives("version"))
        form.edit()
        #expect(recorder.take() == ["version →"])
        token.invalidate()
      }
      #expect(try Form().value(forKey: "state") as? Int == 0)
      #expect(try survey.value(forKey: "state") as? String == "open")
    }
  }
}
