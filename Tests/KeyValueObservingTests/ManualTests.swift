import KeyValueObserving
import Testing

@KeyValueObservable
class Gauge {
  var level = 0
  var limit = 10
  var isOver: Bool { level > limit }

  class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "level" }
}

@KeyValueObservable
final class Plotted: Gauge {
  var color = "red"
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key == "color" ? false : super.automaticallyNotifiesObservers(forKey: key)
  }
}

extension AllTests {
  @Suite("Switching automatic notification off")
  struct ManualTests {
    private let recorder = Recorder()

    @Test("P20: setters, writes by key and dependents are silent, initial is not")
    func silent() throws {
      let gauge = Plotted()
      let tokens = [
        gauge.observe(\.level, options: [.initial, .new], changeHandler: recorder.hears("level")),
        gauge.observe(\.isOver, options: .new, changeHandler: recorder.hears("isOver")),
        gauge.observe(\.color, changeHandler: recorder.hears("color")),
        try gauge.observe("level", changeHandler: recorder.hears("string")),
      ]
      gauge.level = 20
      gauge.color = "blue"
      try gauge.setValue(30, forKey: "level")
      #expect(recorder.take() == ["level →0"])
      gauge.limit = 25
      #expect(recorder.take() == ["isOver →true"])
      withExtendedLifetime(tokens) {}
    }
  }
}
