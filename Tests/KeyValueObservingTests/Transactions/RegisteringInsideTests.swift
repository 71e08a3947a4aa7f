import KeyValueObserving
import Testing

@KeyValueObservable
private class Member {
  var name = "n"
  var age = 0
  var friend: Member?
  var friendName: String { friend?.name ?? "-" }
  weak var boss: Member?
  var bossName: String { boss?.name ?? "-" }
  var summary: String { "\(name)/\(age)" }
}

/// Overrides a property with one that stores in it.
@KeyValueObservable
private final class NamedMember: Member {
  override var name: String {
    get { super.name }
    set { super.name = newValue }
  }
}

/// Observations that are registered in a transaction, and those that were there before.
@Suite struct RegisteringInsideTests {
  private let recorder = Recorder()

  @Test(
    "P11, P46, P52: an observer of a computed key that another one was registered for in what is rolled back"
  )
  func rolledBackRegistration() {
    let (owner, friend, other) = (Member(), Member(), Member())
    owner.friend = friend
    let token = owner.observe(
      \.friendName, options: [.old, .new], changeHandler: recorder.receives("friendName"))
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        owner.friend = other
        owner.observe(\.friendName) { _, _ in }.invalidate()
        throw Refused()
      }
      friend.name = "z"
    }
    #expect(recorder.take() == ["friendName n→z"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P53: a computed key or a path that is registered in a block receives the change of the block")
  func registeredInBlock() {
    let (person, owner) = (Member(), Member())
    owner.friend = person
    var tokens = [
      person.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("age"))
    ]
    withKeyValueTransaction {
      person.withMutation(of: \.age) {
        tokens.append(
          person.observe(
            \.summary, options: [.old, .new], changeHandler: recorder.receives("summary")))
        tokens.append(
          owner.observe(
            \.friend?.age, options: [.old, .new], changeHandler: recorder.receives("path")))
        person.age = 1
      }
    }
    #expect(recorder.take() == ["age 0→1", "path 0→1", "summary n/0→n/1"])
    withExtendedLifetime((tokens, owner)) {}
  }

  @Test(
    "P27, P44, P54: a weak property that is set after the deallocation of its object has one change"
  )
  func setAfterDeallocation() {
    for isSetToNil in [false, true] {
      let (member, other) = (Member(), Member())
      other.name = "new"
      var boss: Member? = Member()
      member.boss = boss
      let tokens = [
        member.observe(
          \.boss?.name, options: [.old, .new], changeHandler: recorder.receives("path")),
        member.observe(
          \.bossName, options: [.old, .new], changeHandler: recorder.receives("computed")),
      ]
      withKeyValueTransaction {
        boss = nil
        member.boss = isSetToNil ? nil : other
      }
      let (path, computed) = isSetToNil ? ("nil", "-") : ("new", "new")
      #expect(
        recorder.take().sorted() == ["computed n→\(computed)", "path n→\(path) path"])
      withExtendedLifetime((tokens, other)) {}
    }
  }

  @Test(
    "P27, P44, P54: a weak property whose new object is deallocated in the transaction has one change"
  )
  func deallocatedAfterSet() {
    let (member, boss) = (Member(), Member())
    member.boss = boss
    let token = member.observe(
      \.boss?.name, options: [.old, .new], changeHandler: recorder.receives("path"))
    withKeyValueTransaction {
      let short = Member()
      member.boss = short
    }
    #expect(recorder.take() == ["path n→nil path"])
    withExtendedLifetime((token, boss)) {}
  }

  @Test("P27, P48: a set of a weak property in a callback follows the value before a deallocation")
  func setAfterDeallocationInCallback() {
    let (member, other) = (Member(), Member())
    var boss: Member? = Member()
    member.boss = boss
    other.name = "new"
    let tokens = [
      member.observe(\.age) { member, _ in member.boss = other },
      member.observe(
        \.bossName, options: [.old, .new], changeHandler: recorder.receives("computed")),
      member.observe(
        \.boss?.name, options: [.old, .new], changeHandler: recorder.receives("path")),
    ]
    withKeyValueTransaction {
      member.age = 1
      boss = nil
    }
    #expect(recorder.take() == ["path n→new path", "computed n→new"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P27, P53: an observer that has found an object which is deallocated starts from its value")
  func deallocatedAndRolledBack() {
    let (member, boss) = (Member(), Member())
    member.boss = boss
    var token: KeyValueObservation?
    var short: Member? = Member()
    short?.name = "short"
    try? withKeyValueTransaction {
      member.boss = short
      token = member.observe(
        \.bossName, options: [.old, .new], changeHandler: recorder.receives("late"))
      short = nil
      throw Refused()
    }
    #expect(recorder.take() == ["late short→n"])
    withExtendedLifetime((token, boss)) {}
  }

  @Test(
    "P27, P54: a path through a computed key that moves behind a deallocation has its last value")
  func movedBehindDeallocation() {
    let (owner, member) = (Member(), Member())
    var boss: Member? = Member()
    member.boss = boss
    owner.friend = member
    let token = owner.observe(
      \.friend?.bossName, options: [.old, .new], changeHandler: recorder.receives("path"))
    withKeyValueTransaction {
      boss = nil
      owner.friend = nil
    }
    #expect(recorder.take() == ["path n→nil path"])
    withExtendedLifetime((token, boss)) {}
  }

  @Test("P19, P53: one in a transaction inside a block does not receive the change of the block")
  func registeredInTransactionInBlock() {
    let member = Member()
    func observe(_ name: String) -> [KeyValueObservation] {
      let options: KeyValueObservation.Options = [.old, .new]
      return [
        member.observe(\.age, options: options, changeHandler: recorder.receives("\(name) age")),
        member.observe(
          \.summary, options: options, changeHandler: recorder.receives("\(name) summary")),
      ]
    }
    var tokens = observe("first")
    member.withMutation(of: \.age) {
      withKeyValueTransaction {
        tokens += observe("late")
        member.age = 1
      }
      #expect(recorder.take() == [])
    }
    #expect(recorder.take() == ["first age 0→1", "first summary n/0→n/1"])
    member.age = 2
    #expect(
      recorder.take() == [
        "first age 1→2", "late age 1→2", "first summary n/1→n/2", "late summary n/1→n/2",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("P53: an observer that is registered in a block receives what follows a nested rollback")
  func rolledBackInBlock() {
    let member = Member()
    var tokens = [
      member.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("age"))
    ]
    withKeyValueTransaction {
      member.withMutation(of: \.age) {
        tokens.append(
          member.observe(
            \.summary, options: [.old, .new], changeHandler: recorder.receives("summary")))
        try? withKeyValueTransaction {
          member.age = 1
          throw Refused()
        }
        member.age = 2
      }
    }
    #expect(recorder.take() == ["age 0→2", "summary n/0→n/2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P50, P53: an observer registered in what a block rolls back receives the former value")
  func registeredInRolledBackPartOfBlock() {
    let member = Member()
    var tokens = [
      member.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("age"))
    ]
    withKeyValueTransaction {
      member.withMutation(of: \.age) {
        try? withKeyValueTransaction {
          member.age = 1
          tokens.append(
            member.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("late")))
          member.age = 2
          throw Refused()
        }
      }
    }
    #expect(recorder.take() == ["age 0→0", "late 1→0"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P53: an observer that a prior handler of a late observer registers receives the change")
  func registeredInPriorOfLateObserver() {
    let member = Member()
    var tokens = [
      member.observe(\.summary) { _, _ in }, member.observe(\.age, options: .prior) { _, _ in },
    ]
    var isFirst = true
    withKeyValueTransaction {
      member.name = "m"
      tokens.append(
        member.observe(\.summary, options: .prior) { [recorder] member, change in
          guard change.isPrior, isFirst else { return }
          isFirst = false
          tokens.append(
            member.observe(
              \.age, options: [.old, .new], changeHandler: recorder.receives("inner")))
        })
      member.age = 7
    }
    #expect(recorder.take() == ["inner 0→7"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P44, P47: a prior handler of a late observer sets a property, whose old value is the first")
  func setInPriorOfLateObserver() {
    let member = Member()
    var tokens = [
      member.observe(
        \.summary, options: [.old, .new], changeHandler: recorder.receives("summary")),
      member.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("age")),
    ]
    var isFirst = true
    withKeyValueTransaction {
      member.name = "m"
      tokens.append(
        member.observe(\.summary, options: .prior) { member, change in
          guard change.isPrior, isFirst else { return }
          isFirst = false
          member.age = 5
        })
      member.age = 7
    }
    #expect(recorder.take() == ["age 0→7", "summary n/0→m/7"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P27, P57: an observation that is excluded from a set is notified of the deallocation after it")
  func excludedFromSet() {
    let (member, boss) = (Member(), Member())
    member.boss = boss
    let token = member.observe(\.boss, options: .new, changeHandler: recorder.receives("boss"))
    withKeyValueTransaction {
      withKeyValueTransaction(withoutNotifying: [token]) {
        let short = Member()
        member.boss = short
      }
    }
    #expect(recorder.take() == ["boss →nil"])
    withExtendedLifetime((token, boss)) {}
  }

  @Test(
    "P27, P53: observers from before are notified of a deallocation, though others have come and are taken back"
  )
  func registeredInRollback() {
    let (member, other) = (Member(), Member())
    var boss: Member? = Member()
    member.boss = boss
    var tokens = [member.observe(\.boss, options: .new, changeHandler: recorder.receives("boss"))]
    withKeyValueTransaction {
      boss = nil
      try? withKeyValueTransaction {
        member.boss = other
        tokens.append(
          member.observe(\.boss, options: .new, changeHandler: recorder.receives("late")))
        throw Refused()
      }
    }
    #expect(recorder.take().contains("boss →nil"))
    withExtendedLifetime((tokens, other)) {}
  }

  @Test("P44, P53: an observer of an override that a computed key reads receives one change")
  func overrideThatIsRead() throws {
    let (member, friend) = (Member(), NamedMember())
    member.friend = friend
    var tokens = [
      member.observe(
        \.friendName, options: [.old, .new], changeHandler: recorder.receives("friendName"))
    ]
    withKeyValueTransaction {
      friend.name = "a"
      tokens.append(
        friend.observe(\.name, options: [.old, .new], changeHandler: recorder.receives("name")))
      friend.name = "b"
    }
    #expect(recorder.take() == ["name a→b", "friendName n→b"])
    friend.name = "c"
    #expect(recorder.take() == ["name b→c", "friendName b→c"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P52, P53: an observer of a computed key receives nothing that an inner transaction takes back",
    arguments: [false, true])
  func computedKeyTakenBackInside(isObserved: Bool) {
    let member = Member()
    func observe(
      _ name: String, _ options: KeyValueObservation.Options = [.old, .new]
    ) -> KeyValueObservation {
      member.observe(\.summary, options: options, changeHandler: recorder.receives(name))
    }
    func refuse(_ body: () -> Void) {
      try? withKeyValueTransaction {
        body()
        throw Refused()
      }
    }
    var tokens = isObserved ? [member.observe(\.summary) { _, _ in }] : []
    withKeyValueTransaction {
      member.name = "a"
      tokens.append(observe("first"))
      refuse { (member.age, member.name) = (1, "b") }
    }
    #expect(recorder.take() == [])
    withKeyValueTransaction {
      member.name = "c"
      tokens.append(observe("second"))
      withKeyValueTransaction { member.age = 2 }
      refuse { member.age = 3 }
    }
    #expect(recorder.take().filter { $0.hasPrefix("second") } == ["second c/0→c/2"])
    refuse {
      member.name = "d"
      tokens.append(observe("third", [.old, .new, .prior]))
      refuse { member.age = 4 }
      #expect(recorder.take().filter { $0.hasPrefix("third") } == ["third d/2→ prior"])
    }
    #expect(recorder.take().filter { $0.hasPrefix("third") } == ["third d/2→c/2"])
    withExtendedLifetime(tokens) {}
  }
}
