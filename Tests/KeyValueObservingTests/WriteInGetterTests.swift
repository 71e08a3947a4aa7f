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

/// Keeps twice its input.
@KeyValueObservable
private final class Doubling {
  var input = 0
  var twice = 0
  var next: Int {
    if twice != input * 2 { twice = input * 2 }
    return input + 1
  }
}

@KeyValueObservable
private final class Copy {
  var value = 0
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
      #expect(recorder.take() == ["level 0→10", "level 10→7"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: what a getter sets in its input comes behind the change that evaluates it")
    func inputSetByGetter() {
      let limiter = Limiter()
      let tokens = [
        limiter.observe(\.raw, options: [.old, .new], changeHandler: recorder.receives("raw")),
        limiter.observe(\.level, options: [.old, .new], changeHandler: recorder.receives("level")),
      ]
      limiter.raw = 20
      #expect(recorder.take() == ["raw 0→20", "level 0→10", "raw 20→10"])
      let token = limiter.observe(\.raw) { limiter, _ in if limiter.raw == 7 { limiter.raw = 30 } }
      limiter.raw = 7
      #expect(
        recorder.take() == [
          "raw 10→7", "level 10→7", "raw 7→30", "level 7→10", "raw 30→10",
        ])
      withExtendedLifetime((tokens, token)) {}
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

    @Test("P11, P48: what a getter sets at the end of a transaction comes behind its changes")
    func atEndOfTransaction() {
      let doubling = Doubling()
      let tokens = [
        doubling.observe(
          \.twice, options: [.old, .new], changeHandler: recorder.receives("twice")),
        doubling.observe(\.next, options: [.old, .new], changeHandler: recorder.receives("next")),
      ]
      withKeyValueTransaction {
        doubling.input = 1
        doubling.twice = 7
      }
      #expect(doubling.twice == 2)
      #expect(recorder.take() == ["twice 0→7", "twice 7→2", "next 1→2"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P64, P65: a bound key that a getter sets has one order of changes on both sides")
    func boundKey() {
      let (doubling, copy) = (Doubling(), Copy())
      let binding = doubling.bind(\.twice, to: copy, \.value)
      let tokens = [
        doubling.observe(
          \.twice, options: [.old, .new], changeHandler: recorder.receives("twice")),
        copy.observe(\.value, options: [.old, .new], changeHandler: recorder.receives("copy")),
        doubling.observe(\.next, options: [.old, .new], changeHandler: recorder.receives("next")),
      ]
      doubling.input = 1
      #expect(recorder.take() == ["twice 0→2", "copy 0→2", "next 1→2"])
      withKeyValueTransaction {
        doubling.input = 2
        copy.value = 7
      }
      #expect(doubling.twice == 4 && copy.value == 4)
      #expect(recorder.take() == ["copy 2→7", "copy 7→4", "twice 2→7", "twice 7→4", "next 2→3"])
      withExtendedLifetime((binding, tokens)) {}
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
