import KeyValueObserving
import Testing

@KeyValueObservable
private class Tree {
  var size = 0
  var age = 0
  class func automaticallyNotifiesObserversOfAge() -> Bool { false }
  weak var neighbor: Tree?
  @KeyValueIgnored var rings = 0
  var neighborsRings: Int { neighbor?.rings ?? -1 }
  var neighborOrNil: Tree? { neighbor }
  var reach: Int { (neighbor?.size ?? -1) + rings }
  @KeyValueDependent(on: "neighbor.size", "size") var marks = [0]
}

/// How a change of a key is notified manually.
private enum ManualForm: CaseIterable {
  case block, blockAroundSet, pair, transaction

  func notify(of keyPath: KeyPath<Tree, Int>, in tree: Tree, _ body: () -> Void) {
    switch self {
    case .block: tree.withMutation(of: keyPath, body)
    case .blockAroundSet:
      tree.withMutation(of: keyPath) {
        tree.neighbor?.size = 100
        body()
      }
    case .pair:
      tree.willChangeValue(for: keyPath)
      body()
      tree.didChangeValue(for: keyPath)
    case .transaction: withKeyValueTransaction { tree.withMutation(of: keyPath, body) }
    }
  }
}

@KeyValueObservable
private final class Oak: Tree {
  var bonus = 0
  override var size: Int {
    get { super.size + bonus }
    set { super.size = newValue - bonus }
  }
}

extension AllTests {
  /// The old value of a change that the deallocation of a weak target makes.
  @Suite("Old values after a deallocation")
  struct KeptValueTests {
    private let recorder = Recorder()

    /// Makes a target, hands it to `body`, and releases it.
    private func withTarget(_ name: String, _ body: (Person) -> Void) {
      let target = Person(name)
      withExtendedLifetime(target) { body(target) }
    }

    @Test("P2, P27: the old value of a computed key is the one that was delivered last")
    func computedKey() {
      let person = Person("p")
      let token = person.observe(
        \.friendName, options: [.old, .new], changeHandler: recorder.receives("·"))
      withTarget("f") { person.friend = $0 }
      #expect(recorder.take() == ["· nil→f", "· f→nil"])
      withTarget("g") {
        person.friend = $0
        $0.name = "h"
      }
      #expect(recorder.take() == ["· nil→g", "· g→h", "· h→nil"])
      withExtendedLifetime(token) {}
    }

    @Test("P2, P27: and so is that of a path through the weak link, typed or as a string")
    func paths() throws {
      let person = Person("p")
      let tokens = [
        person.observe(
          \.friend?.age, options: [.old, .new], changeHandler: recorder.receives("typed")),
        try person.observe(
          "friend.age", options: [.old, .new], changeHandler: recorder.receives("string")),
        person.observe(
          \.friend?.home.city, options: .old, changeHandler: recorder.receives("old")),
        person.observe(
          \.friend?.title, options: [.old, .new], changeHandler: recorder.receives("title")),
      ]
      withTarget("f") {
        person.friend = $0
        $0.age = 1
        $0.home.city = "Oslo"
        _ = recorder.take()
      }
      #expect(
        recorder.take() == [
          "typed 1→nil path", "string 1→nil path", "old Oslo→ path", "title f (1)→nil path",
        ])
      withExtendedLifetime((tokens, person)) {}
    }

    @Test("P27: it is there for an observer that requests it later than others observe the key")
    func laterObserver() {
      let person = Person("p")
      let first = person.observe(
        \.friendName, options: .new, changeHandler: recorder.receives("new"))
      var second: KeyValueObservation?
      withTarget("f") {
        person.friend = $0
        second = person.observe(
          \.friendName, options: .old, changeHandler: recorder.receives("old"))
        _ = recorder.take()
      }
      #expect(recorder.take() == ["new →nil", "old f→"])
      withExtendedLifetime((first, second, person)) {}
    }

    @Test(
      "P11, P27: old values chain where a callback before the observer's turn releases the target")
    func releasedInCallback() {
      let person = Person("p")
      var friend: Person? = Person("f")
      person.friend = friend
      let first = friend!.observe(\.age) { _, _ in friend = nil }
      let second = person.observe(
        \.friend?.age, options: [.old, .new], changeHandler: recorder.receives("path"))
      friend?.age = 1
      #expect(recorder.take() == ["path 0→1", "path 1→nil path"])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P11, P27: so they do where another weak property held the same object")
    func secondProperty() {
      let (first, second, other) = (Person("p"), Person("q"), Person("o"))
      let tokens = [
        first.observe(\.friend) { [unowned second] _, _ in second.friend = other },
        second.observe(
          \.friend?.name, options: [.old, .new], changeHandler: recorder.receives("path")),
        second.observe(
          \.friendName, options: [.old, .new], changeHandler: recorder.receives("key")),
      ]
      withTarget("f") {
        second.friend = $0
        first.friend = $0
        second.friend = $0
        _ = recorder.take()
      }
      #expect(recorder.take() == ["path f→o path", "key f→o"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P13, P27: and where a callback of the object itself comes first")
    func callbackOfTarget() {
      let person = Person("p")
      var tokens: [KeyValueObservation] = []
      withTarget("f") {
        tokens = [
          $0.onDeinit { [unowned person, recorder] in
            tokens.append(
              person.observe(
                \.friendName, options: .new, changeHandler: recorder.receives("late")))
            person.withMutation(of: \.friend) {}
          },
          person.observe(
            \.friendName, options: [.old, .new], changeHandler: recorder.receives("name")),
        ]
        person.friend = $0
        _ = recorder.take()
      }
      #expect(recorder.take() == ["name f→nil", "late →nil", "name nil→nil"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P27: the value that a manual notification of a computed key has delivered is kept")
    func manualNotification() {
      let tree = Tree()
      let token = tree.observe(
        \.neighborsRings, options: [.old, .new], changeHandler: recorder.receives("·"))
      do {
        let other = Tree()
        tree.neighbor = other
        tree.withMutation(of: \.neighborsRings) { other.rings = 7 }
      }
      #expect(recorder.take() == ["· -1→0", "· 0→7", "· 7→-1"])
      withExtendedLifetime(token) {}
    }

    @Test("P11, P19, P27: it follows the value from before a deallocation that is still to come")
    func manualNotificationInDelivery() {
      let (first, second) = (Tree(), Tree())
      let tokens = [
        first.observe(\.neighbor) { [unowned second] _, _ in
          second.withMutation(of: \.neighborsRings) {}
        },
        second.observe(
          \.neighborsRings, options: [.old, .new], changeHandler: recorder.receives("·")),
      ]
      do {
        let other = Tree()
        first.neighbor = other
        second.neighbor = other
        withExtendedLifetime(other) { _ = recorder.take() }
      }
      #expect(recorder.take() == ["· 0→-1", "· -1→-1"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P11, P19, P27: the value of a manual notification that waits is kept before it is delivered",
      arguments: ManualForm.allCases, [false, true])
    fileprivate func waitingNotification(_ form: ManualForm, isBehindSet: Bool) {
      let tree = Tree()
      var other: Tree? = Tree()
      tree.neighbor = other
      var isFirst = true
      let token = tree.observe(\.reach, options: [.old, .new]) { [recorder] tree, change in
        recorder.receives("·")(tree, change)
        guard isFirst else { return }
        isFirst = false
        if isBehindSet { other?.size = 100 }
        form.notify(of: \.reach, in: tree) { tree.rings = 7 }
        other = nil
      }
      other?.size = 1
      let end = isBehindSet || form == .blockAroundSet ? 107 : 8
      #expect(
        recorder.take() == ["· 0→1"] + (isBehindSet ? ["· 1→100"] : [])
          + ["· \(isBehindSet ? 100 : 1)→\(end)", "· \(end)→6"])
      token.invalidate()
    }

    @Test("P11, P27, P48: so is one at the end of a transaction, where a callback before releases")
    func notificationAtEndOfTransaction() {
      let tree = Tree()
      var other: Tree? = Tree()
      tree.neighbor = other
      let tokens = [
        tree.observe(\.size) { _, _ in other = nil },
        tree.observe(\.reach, options: [.old, .new], changeHandler: recorder.receives("·")),
      ]
      withKeyValueTransaction {
        tree.size = 1
        tree.withMutation(of: \.reach) { tree.rings = 7 }
      }
      #expect(recorder.take() == ["· 0→7", "· 7→6"])
      withExtendedLifetime((tokens, other)) {}
    }

    @Test(
      "P11, P21, P27: a change of a stored property that depends on others is followed by theirs",
      arguments: 0..<5)
    func storedProperty(form: Int) {
      func change(_ tree: Tree) {
        switch form {
        case 0: tree.marks = [0, 1]
        case 1: tree.marks.append(1)
        case 2: tree.mutableArrayValue(for: \.marks).append(1)
        case 3: tree.withMutation(of: \.marks) { tree.marks = [0, 1] }
        default: withKeyValueTransaction { tree.marks = [0, 1] }
        }
      }
      let same = "· [0, 1]→[0, 1]"
      for isInBlock in [false, true] {
        let tree = Tree()
        let token = tree.observe(
          \.marks, options: [.old, .new], changeHandler: recorder.receives("·"))
        do {
          let other = Tree()
          tree.neighbor = other
          _ = recorder.take()
          if isInBlock { tree.withMutation(of: \.size) { change(tree) } } else { change(tree) }
          let first = form == 2 ? "· →[1] insertion [1]" : "· [0]→[0, 1]"
          #expect(recorder.take() == (isInBlock ? [first, same] : [first]))
          withExtendedLifetime(other) {}
        }
        #expect(recorder.take() == [same])
        token.invalidate()
      }
    }

    @Test("P5, P27: an object that was delivered is not known before it, in a block or pair")
    func objectBeforeBlock() {
      let (first, second) = (Tree(), Tree())
      for isInTransaction in [false, true] {
        let tokens = [
          first.observe(\.neighbor) { [unowned second] _, _ in
            if isInTransaction {
              withKeyValueTransaction { second.withMutation(of: \.neighborOrNil) {} }
            } else {
              second.withMutation(of: \.neighborOrNil) {}
            }
          },
          second.observe(\.neighborOrNil, options: [.old, .new]) { [recorder] _, change in
            recorder.write(change.oldValue == nil ? "from unknown" : "from nil")
          },
        ]
        do {
          let other = Tree()
          first.neighbor = other
          second.neighbor = other
          withExtendedLifetime(other) { _ = recorder.take() }
        }
        #expect(recorder.take() == ["from unknown", "from nil"])
        withExtendedLifetime(tokens) {}
      }
    }

    @Test("P27: collections of values are kept, whatever their edits were")
    func collections() {
      let person = Person("p")
      let token = person.observe(
        \.friend?.tags, options: [.old, .new], changeHandler: recorder.receives("·"))
      withTarget("f") {
        person.friend = $0
        $0.mutableArrayValue(for: \.tags).append("a")
        $0.mutableArrayValue(for: \.tags).append("b")
        _ = recorder.take()
      }
      #expect(recorder.take() == [#"· ["a", "b"]→nil path"#])
      withExtendedLifetime(token) {}
    }

    @Test("P13, P27: a path that comes to an overridden key in its block has the value at the end")
    func mutationBlock() {
      let tree = Tree()
      let token = tree.observe(
        \.neighbor?.size, options: .old, changeHandler: recorder.receives("·"))
      do {
        let other = Oak()
        other.withMutation(of: \.size) {
          tree.neighbor = other
          other.size = 7
        }
      }
      #expect(recorder.take() == ["· nil→ path", "· 0→", "· 7→ path"])
      withExtendedLifetime(token) {}
    }

    @Test("P13, P27: and so has one that comes to a plain key in its block, or in its pair")
    func plainKey() {
      let tree = Tree()
      let token = tree.observe(
        \.neighbor?.age, options: .old, changeHandler: recorder.receives("·"))
      do {
        let other = Tree()
        other.withMutation(of: \.age) {
          tree.neighbor = other
          other.age = 7
        }
      }
      #expect(recorder.take() == ["· nil→ path", "· 0→", "· 7→ path"])
      do {
        let other = Tree()
        let observer = other.observe(\.age) { _, _ in }
        other.willChangeValue(for: \.age)
        tree.neighbor = other
        other.age = 8
        other.didChangeValue(for: \.age)
        observer.invalidate()
      }
      #expect(recorder.take() == ["· nil→ path", "· 8→ path"])
      withExtendedLifetime(token) {}
    }

    @Test("P5, P27: a value that may hold an object is not kept, so it lives no longer for that")
    func objects() {
      let person = Person("p")
      let tokens = [
        person.observe(
          \.friend?.boss, options: [.old, .new], changeHandler: recorder.receives("boss")),
        person.observe(
          \.friend?.staff, options: .old, changeHandler: recorder.receives("staff")),
      ]
      weak var boss: Person?
      withTarget("f") {
        let made = Person("b")
        boss = made
        $0.staff = [made]
        $0.boss = made
        person.friend = $0
        _ = recorder.take()
      }
      #expect(recorder.take() == ["boss →nil path", "staff → path"])
      #expect(boss == nil)
      // A value that was nil is known to be nil.
      withTarget("g") { person.friend = $0 }
      #expect(recorder.take().first?.hasPrefix("boss nil→nil path") == true)
      withExtendedLifetime(tokens) {}
    }
  }
}
