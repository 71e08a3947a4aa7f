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
  }
}

@KeyValueObservable
private class Workout {
  struct Set {}
  struct String {}
  enum Bool { case isOn }

  var sets: [Set] = []
  var notes: [Swift.String: Int] = [:]
  var exchange: [Int] = []
  var state = Bool.isOn

  class var automaticallyNotifiesObserversOfNotes: Swift.Bool { false }
}
