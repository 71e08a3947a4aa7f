import KeyValueObserving
import Testing

@KeyValueObservable
private final class KeepingPage {
  var text = "t"
  var length = 0
  var reads = 0
  var next: KeepingPage?

  /// Keeps what it has found out.
  var summary: String {
    try! setValue(text.count, forKey: "length")
    try! setValues(["reads": 1])
    try? setValue(text.count, forKeyPath: "next.length")
    return text
  }
}

extension AllTests {
  @Suite("Getters that write")
  struct WriteInGetterTests {
    private let recorder = Recorder()

    @Test("P21: what a getter writes by key is no input of it")
    func byKey() {
      let page = KeepingPage()
      page.next = KeepingPage()
      let token = page.observe(
        \.summary, options: [.old, .new], changeHandler: recorder.hears("summary"))
      page.text = "tt"
      #expect(recorder.take() == ["summary t→tt"])
      #expect(page.length == 2 && page.reads == 1 && page.next?.length == 2)
      page.length = 9
      page.reads = 9
      page.next?.length = 9
      #expect(recorder.take() == [])
      token.invalidate()
    }
  }
}
