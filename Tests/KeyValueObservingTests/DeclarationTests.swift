import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Declarations")
  struct DeclarationTests {
    private let recorder = Recorder()

    @Test("P8: the name of a property may have quotes in it")
    func quotes() throws {
      let label = Label()
      let token = try label.observe("the \"best\" one", options: .new) { _, change in
        self.recorder.write("\((change.newValue ?? nil) ?? "nil")")
      }
      label.`the "best" one` = 2
      #expect(recorder.take() == ["2"])
      token.invalidate()
    }

    @Test("P8: code that is inlined into other modules may use a class")
    func usableFromInline() {
      let inlined = Inlined()
      let token = inlined.observe(\.count, options: .new, changeHandler: recorder.hears("count"))
      inlined.increment()
      #expect(recorder.take() == ["count →1"])
      token.invalidate()
    }
  }
}

@KeyValueObservable
private final class Label {
  var `the "best" one` = 1
}

@usableFromInline
@KeyValueObservable
class Counted {
  @usableFromInline var count = 0

  class func automaticallyNotifiesObserversOfCount() -> Bool { true }
}

@usableFromInline
@KeyValueObservable
final class Inlined: Counted {
  @usableFromInline var step = 1

  @inlinable
  func increment() { count += step }

  class func keyPathsForValuesAffectingStep() -> Set<String> { [] }
}
