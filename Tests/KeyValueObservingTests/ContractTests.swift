import KeyValueObserving
import Testing
extension AllTests {
  /// The guarantees that every kind of object gives alike, through string key paths.
  @Suite("Contract of every kind")
  struct ContractTests {
    private let recorder = Recorder()

    private func receive(_ name: String) -> (KeyValueChange<Any?>) -> Void {
      { [recorder] change in recorder.write(name, change) }
    }

    @Test("P2: a change holds exactly what the options ask for", arguments: Kind.allCases)
    func options(kind: Kind) throws {
      // The table of the sixteen combinations, as Apple's header states it.
      for bits in UInt(0)..<16 {
        let options = KeyValueObservation.Options(rawValue: bits)
        let subject = kind.make("a")
        let token = try subject.observe("name", options: options, receive("·"))
        subject["name"] = "b"
        let new = options.contains(.new)
        let old = options.contains(.old)
        var expected: [String] = []
        if options.contains(.initial) { expected.append("· →" + (new ? "a" : "")) }
        if options.contains(.prior) { expected.append("· " + (old ? "a" : "") + "→ prior") }
        expected.append("· " + (old ? "a" : "") + "→" + (new ? "b" : ""))
        #expect(recorder.take() == expected, "\(kind), options \(bits)")
        token.invalidate()
      }
    }

    @Test("P2: nil is present and nil", arguments: Kind.allCases)
    func nilIsPresent(kind: Kind) throws {
      let subject = kind.make()
      let token = try subject.observe("name", options: [.new, .old], receive("·"))
      subject["name"] = "a"
      subject["name"] = nil
      #expect(recorder.take() == ["· nil→a", "· a→nil"])
      token.invalidate()
    }

    @Test(
      "P3: initial delivers one change before the registration returns", arguments: Kind.allCases)
    func initial(kind: Kind) throws {
      let subject = kind.make()
      var count = 0
      let token = try subject.observe("child.name", options: [.initial, .new, .old, .prior]) {
        #expect($0.newValue != nil && $0.newValue! == nil)
        self.recorder.write("·", $0)
        count += 1
      }
      #expect(count == 1)
      #expect(recorder.take() == ["· →nil"])
      token.invalidate()
    }

    @Test("P9: equal assignments are delivered, unless distinct", arguments: Kind.allCases)
    func distinct(kind: Kind) throws {
      let subject = kind.make("a")
      let all = try subject.observe("name", options: .new, receive("all"))
      let distinct = try subject.observe("name", options: .distinct, receive("distinct"))
      let withNew = try subject.observe("name", options: [.distinct, .new, .prior], receive("new"))
      subject["name"] = "a"
      subject["name"] = "b"
      subject["name"] = "b"
      #expect(
        recorder.take() == [
          "new → prior", "all →a",
          "new → prior", "all →b", "distinct →", "new →b",
          "new → prior", "all →b",
        ])
      [all, distinct, withNew].forEach { $0.invalidate() }
    }

    @Test(
      "P10: observers are called in the order of registration, for prior and after alike",
      arguments: Kind.allCases)
    func order(kind: Kind) throws {
      let subject = kind.make("a")
      let tokens = try ["1", "2", "3"].map {
        try subject.observe("name", options: .prior, receive($0))
      }
      subject["name"] = "b"
      #expect(
        recorder.take() == ["1 → prior", "2 → prior", "3 → prior", "1 →", "2 →", "3 →"])
      tokens.forEach { $0.invalidate() }
    }

    @Test(
      "P11: a set from inside a callback waits until the change has reached everyone",
      arguments: Kind.allCases)
    func oneStory(kind: Kind) throws {
      let subject = kind.make()
      let first = try subject.observe("count", options: [.new, .old]) { change in
        self.recorder.write("1", change)
        if subject["count"] as? Int == 1 {
          subject["count"] = 2
          self.recorder.write("took effect: \(subject["count"]!)")
        }
      }
      let second = try subject.observe("count", options: [.new, .old], receive("2"))
      subject["count"] = 1
      #expect(
        recorder.take() == ["1 0→1", "took effect: 2", "2 0→1", "1 1→2", "2 1→2"])
      [first, second].forEach { $0.invalidate() }
    }

    @Test(
      "P12: other properties set from inside a callback are delivered nested",
      arguments: Kind.allCases)
    func nested(kind: Kind) throws {
      let subject = kind.make("a")
      let first = try subject.observe("count", options: .new) { change in
        self.recorder.write("count", change)
        subject["name"] = "b"
        self.recorder.write("set")
      }
      let second = try subject.observe("name", options: .new, receive("name"))
      subject["count"] = 1
      #expect(recorder.take() == ["count →1", "name →b", "set"])
      [first, second].forEach { $0.invalidate() }
    }

    @Test(
      "P13: an added observer receives the next change, a removed one receives nothing more",
      arguments: Kind.allCases)
    func comingAndGoing(kind: Kind) throws {
      let subject = kind.make("a")
      var added: KeyValueObservation?
      var removed: KeyValueObservation?
      let first = try subject.observe("name") { _ in
        self.recorder.write("1")
        removed?.invalidate()
        if added == nil { added = try! subject.observe("name", self.receive("added")) }
      }
      removed = try subject.observe("name", receive("removed"))
      let last = try subject.observe("name", receive("3"))
      subject["name"] = "b"
      #expect(recorder.take() == ["1", "3 →"])
      subject["name"] = "c"
      #expect(recorder.take() == ["1", "3 →", "added →"])
      [first, last, added!].forEach { $0.invalidate() }
    }

    @Test(
      "P18: a callback that never converges is stopped, and the others receive the final value",
      arguments: Kind.allCases)
    func unsettled(kind: Kind) throws {
      let reports = Diagnostics()
      let subject = kind.make()
      var calls = 0
      let looping = try subject.observe("count", options: .new) { _ in
        calls += 1
        subject["count"] = (subject["count"] as! Int) + 1
      }
      var last: Int?
      let other = try subject.observe("count", options: .new) { last = $0.newValue as? Int }
      subject["count"] = 1
      #expect(calls >= 100 && calls <= 110)
      #expect(last == subject["count"] as? Int)
      #expect(reports.take().count == 1)
      looping.invalidate()
      subject["count"] = 7
      #expect(last == 7)
      other.invalidate()
    }

    @Test("P25: every replacement of a link is one change and rewires", arguments: Kind.allCases)
    func rewiring(kind: Kind) throws {
      let root = kind.make()
      let first = kind.other.make("first")
      let second = kind.make("second")
      let token = try root.observe("child.name", options: [.new, .old], receive("·"))
      root["child"] = first
      first["name"] = "First"
      root["child"] = second
      first["name"] = "detached"
      second["name"] = "Second"
      root["child"] = second
      root["child"] = nil
      root["child"] = nil
      second["name"] = "detached"
      #expect(
        recorder.take() == [
          "· nil→first path", "· first→First", "· First→second path", "· second→Second",
          "· Second→Second path", "· Second→nil path", "· nil→nil path",
        ])
      token.invalidate()
    }

    @Test(
      "P25: a path of three keys follows each of its links across kinds",
      arguments: Kind.allCases)
    func deepPath(kind: Kind) throws {
      let root = kind.make()
      let middle = kind.other.make()
      let end = kind.other.other.make("end")
      let token = try root.observe("child.child.name", options: [.new], receive("·"))
      root["child"] = middle
      middle["child"] = end
      end["name"] = "End"
      middle["child"] = nil
      end["name"] = "detached"
      root["child"] = nil
      middle["child"] = end
      #expect(
        recorder.take() == ["· →nil path", "· →end path", "· →End", "· →nil path", "· →nil path"])
      token.invalidate()
    }

    @Test(
      "P30: an object that is on the path twice notifies once for each set",
      arguments: Kind.allCases)
    func cycle(kind: Kind) throws {
      let subject = kind.make("a")
      subject["child"] = subject
      let token = try subject.observe("child.child.name", options: .new, receive("·"))
      subject["name"] = "b"
      #expect(recorder.take() == ["· →b"])
      subject["child"] = nil
      #expect(recorder.take() == ["· →nil path"])
      token.invalidate()
    }

    @Test("P31: ending twice, and inside callbacks, is harmless", arguments: Kind.allCases)
    func ending(kind: Kind) throws {
      let subject = kind.make("a")
      var token: KeyValueObservation?
      token = try subject.observe("name") { _ in
        self.recorder.write("received")
        token?.invalidate()
        token?.invalidate()
      }
      subject["name"] = "b"
      subject["name"] = "c"
      token?.invalidate()
      #expect(recorder.take() == ["received"])
    }

    @Test(
      "P32: dropping the token ends the observation and releases the closure",
      arguments: Kind.allCases, ["name", "child.name"])
    func dropping(kind: Kind, keyPath: String) throws {
      let subject = kind.make("a")
      subject["child"] = kind.other.make()
      var isReleased = false
      var canary: Canary? = Canary { isReleased = true }
      var token: KeyValueObservation? = try subject.observe(keyPath) { [canary] _ in _ = canary }
      canary = nil
      #expect(!isReleased)
      withExtendedLifetime(token) {}
      token = nil
      #expect(isReleased)
    }

    @Test(
      "P33: sourceDeleted is the final callback of an observer",
      arguments: Kind.allCases, ["name", "child.name"])
    func sourceDeleted(kind: Kind, keyPath: String) throws {
      var subject: Subject? = kind.make("a")
      subject?["child"] = kind.other.make("b")
      let observer = try subject!.observer(
        keyPath, options: [.new, .old], recorder.callback("·"))
      subject = nil
      #expect(recorder.take() == ["· → gone"])
      observer.cancel()
      #expect(recorder.take() == [])
    }

    @Test(
      "P6: a path that cannot work is refused with an error that says why",
      arguments: Kind.allCases)
    func malformed(kind: Kind) {
      let subject = kind.make("a")
      for path in ["", ".name", "name.", "child..name", ".", "self", "name.@count", "@sum.name"] {
        #expect(throws: KeyValueCodingError.self, "\(path)") {
          _ = try subject.observe(path) { _ in }
        }
      }
      #expect(
        throws: KeyValueCodingError.notObservable(
          keyPath: "name.length", key: "name", type: String.self)
      ) {
        _ = try subject.observe("name.length") { _ in }
      }
    }
  }
}
