import KeyValueObserving
import Observation
import Testing

@KeyValueObservable
final class Both: Observable {
  var title = ""
  var tags: [String] = []
}

@KeyValueObservable
final class Labelled: Observable & CustomStringConvertible {
  var title = ""
  var description: String { title }
}

extension AllTests {
  @Suite("Together with the module Observation")
  struct ObservationModuleTests {
    @Test("P8: a class that is also Observable is seen by withObservationTracking")
    func tracking() {
      let recorder = Recorder()
      let both = Both()
      let token = both.observe(\.title, options: .new, changeHandler: recorder.receives("·"))
      let fired = Counter()
      withObservationTracking {
        _ = both.title
        _ = both.tags
      } onChange: {
        fired.increment()
      }
      both.title = "a"
      #expect(fired.value == 1 && recorder.take() == ["· →a"])
      withObservationTracking {
        _ = both.tags
      } onChange: {
        fired.increment()
      }
      both.tags.append("x")
      #expect(fired.value == 2)
      token.invalidate()
    }

    @Test("P8: so is one whose protocols are composed")
    func composition() {
      let labelled = Labelled()
      let fired = Counter()
      withObservationTracking {
        _ = labelled.description
      } onChange: {
        fired.increment()
      }
      labelled.title = "a"
      #expect(fired.value == 1)
    }
  }
}
