import KeyValueObserving
import Testing

@KeyValueObservable
private final class KeepingPage {
  var text = "t"
  var length = 0
  var reads = 0
  var next: KeepingPage?

  var lengths: [Int] = []

  /// Keeps the lengths that it has seen.
  var numbered: String {
    mutableArrayValue(for: \.lengths).append(text.count)
    return text
  }

  /// Keeps what it has found out.
  var summary: String {
    try! setValue(text.count, forKey: "length")
    try! setValues(["reads": 1])
    try? setValue(text.count, forKeyPath: "next.length")
    return text
  }
}

@KeyValueObservable
private final class Limiter {
  var raw = 0
  /// Limits its input.
  var level: Int {
    let limited = min(raw, 10)
    if limited < raw { raw = limited }
    return limited
  }
}

/// Makes what it reads odd.
@KeyValueObservable
private final class Turnstile {
  var count = 0
  var isTurnedBack = true
  var turned: Int {
    if count.isMultiple(of: 2) { count += 1 }
    return count
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
        \.summary, options: [.old, .new], changeHandler: recorder.receives("summary"))
      page.text = "tt"
      #expect(recorder.take() == ["summary t→tt"])
      #expect(page.length == 2 && page.reads == 1 && page.next?.length == 2)
      page.length = 9
      page.reads = 9
      page.next?.length = 9
      #expect(recorder.take() == [])
      token.invalidate()
    }

    @Test(
      "P11: an observer of an input that sets it in the getter, which has set it, is followed by the value"
    )
    func inputSetByObserver() {
      let limiter = Limiter()
      let tokens = [
        limiter.observe(\.raw) { limiter, _ in if limiter.raw == 10 { limiter.raw = 7 } },
        limiter.observe(\.level, options: [.old, .new], changeHandler: recorder.receives("level")),
      ]
      limiter.raw = 20
      #expect(limiter.raw == 7)
      #expect(recorder.take() == ["level 0→7"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P18: a getter and an observer that change its input in turn are stopped and reported")
    func changingInput() {
      let turnstile = Turnstile()
      var tokens: [KeyValueObservation] = []
      let reported = reportedIdentifiers {
        tokens = [
          turnstile.observe(\.count) { turnstile, _ in
            if turnstile.isTurnedBack, !turnstile.count.isMultiple(of: 2) { turnstile.count += 1 }
          },
          turnstile.observe(\.turned, options: .new, changeHandler: recorder.receives("turned")),
        ]
      }
      #expect(reported == ["nonConvergence"])
      #expect(turnstile.count.isMultiple(of: 2))
      _ = recorder.take()
      turnstile.isTurnedBack = false
      turnstile.count = 8
      #expect(recorder.take() == ["turned →9"])
      for token in tokens { token.invalidate() }
    }

    @Test("P21: what a getter edits by proxy is no input of it")
    func byProxy() {
      let page = KeepingPage()
      let token = page.observe(
        \.numbered, options: [.old, .new], changeHandler: recorder.receives("numbered"))
      page.text = "tt"
      #expect(recorder.take() == ["numbered t→tt"])
      #expect(page.lengths.last == 2)
      let count = page.lengths.count
      page.lengths.append(9)
      #expect(recorder.take() == [] && page.lengths.count == count + 1)
      token.invalidate()
    }
  }
}
