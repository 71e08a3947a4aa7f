import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Names")
  struct NameTests {
    private let recorder = Recorder()

    @Test("P8, P20: a class may give its members the names that what is written for it uses")
    func standardNames() throws {
      let workout = Workout()
      let tokens = [
        try workout.observe("sets", options: .new) { _, _ in self.recorder.write("sets") },
        try workout.observe("notes") { _, _ in self.recorder.write("notes") },
        workout.observe(\.exchange, changeHandler: { _, _ in self.recorder.write("exchange") }),
      ]
      workout.sets.append(Workout.Set())
      workout.sets = []
      workout.notes = ["a": 1]
      workout.exchange = [1]
      #expect(recorder.take() == ["sets", "sets", "exchange"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P8: a property may have the name of what its accessors declare")
    func localNames() {
      let workout = Workout()
      let tokens = [
        workout.observe(
          \.modification, options: .new, changeHandler: recorder.receives("modification"))
      ]
      workout.modification.append(1)
      #expect(recorder.take() == ["modification →[1]"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P34: a property of type Self, to which no key path works, does not stop the others")
    func dynamicSelf() throws {
      let chapter = Chapter()
      let token = try chapter.observe("title", options: .new) { _, _ in self.recorder.write("title")
      }
      chapter.title = "b"
      #expect(recorder.take() == ["title"])
      #expect(throws: KeyValueCodingError.self) { try chapter.value(forKey: "latest") }
      withExtendedLifetime(token) {}
    }

    @Test("P21: a class whose name has quotes may have private properties")
    func quotes() {
      let lesson = `Lesson "One"`()
      let token = lesson.observe(
        \.length, options: .new, changeHandler: recorder.receives("length"))
      lesson.extend()
      #expect(recorder.take() == ["length →2"])
      token.invalidate()
    }
  }
}

@KeyValueObservable
private class `Lesson "One"` {
  private var pages = 1
  var length: Int { pages }
  func extend() { pages += 1 }
}

@KeyValueObservable
private class Workout {
  struct Set {}
  struct String {}
  enum Bool { case isOn }

  var sets: [Set] = []
  var notes: [Swift.String: Int] = [:]
  var exchange: [Int] = []
  var unsafeDowncast: [Int] = []
  var state = Bool.isOn
  var modification: [Int] = []

  class var automaticallyNotifiesObserversOfNotes: Swift.Bool { false }
}

@KeyValueObservable
private class Chapter {
  var title = "a"
  var latest: Self { self }
  var next: Self? { nil }
}
