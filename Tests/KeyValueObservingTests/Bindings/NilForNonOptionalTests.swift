import KeyValueObserving
import Testing

/// Says of one of its properties what nil means.
@KeyValueObservable
private final class Dial {
  var level = 3
  var limit = 9
  var reading: Int? = 4

  func setNilValueForKey(_ key: String) throws(KeyValueCodingError) {
    guard key == "level" else {
      throw .nilForNonOptional(type: Dial.self, key: key, expected: Int.self)
    }
    level = 0
  }
}

@Suite("Bindings of nil to properties that are not optional")
struct NilForNonOptionalTests {
  private let recorder = Recorder()
  private let source = Dial()
  private let target = Dial()

  @Test("P42, P66: a class that says what nil means is asked, and what it stores goes back once")
  func asked() throws {
    let binding = try source.bind("reading", to: target, "level")
    #expect(target.level == 4)
    let tokens = [
      source.observe(\.reading, options: .new, changeHandler: recorder.receives("reading")),
      target.observe(\.level, options: .new, changeHandler: recorder.receives("level")),
    ]
    let reported = reportedIdentifiers { source.reading = nil }
    #expect(reported == [])
    #expect(recorder.take() == ["reading →0", "level →0"])
    withExtendedLifetime((binding, tokens)) {}
  }

  @Test("P66: a property that has no nil keeps its value, and one diagnostic says why")
  func refused() throws {
    let binding = try source.bind("reading", to: target, "limit")
    #expect(target.limit == 4)
    let reported = reportedIdentifiers {
      source.reading = nil
      source.reading = nil
    }
    #expect(reported == ["rejectedMutation"])
    #expect(target.limit == 4 && source.reading == nil)
    source.reading = 6
    #expect(target.limit == 6)
    withExtendedLifetime(binding) {}
  }
}
