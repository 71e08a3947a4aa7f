import KeyValueObserving
import Testing

/// Values that a rollback cannot put back.
@Suite struct UnrestoredTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]

  @Test("P51, P54: a weak property whose object was deallocated meanwhile is delivered")
  func deallocatedTarget() {
    let deposit = Deposit()
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    let tokens = [
      deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner")),
      deposit.observe(\.owner?.x, options: .new, changeHandler: recorder.receives("path")),
      deposit.observe(\.x, options: options, changeHandler: recorder.receives("x")),
    ]
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        deposit.x = 1
        owner = nil
        #expect(deposit.owner == nil)
        #expect(recorder.take() == [])
        throw Refused()
      }
    }
    #expect(recorder.take() == ["owner →nil", "path →nil path"])
    #expect(identifiers == ["unrestoredValue"])
    #expect(deposit.x == 0)
    withExtendedLifetime((tokens, owner)) {}
  }

  @Test("P51, P52: it is named once, by the transaction that cannot put it back")
  func deallocatedInNested() {
    let deposit = Deposit()
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        try? withKeyValueTransaction {
          withKeyValueTransaction { owner = nil }
          throw Refused()
        }
        try? withKeyValueTransaction { throw Refused() }
        deposit.x = 1
        throw Refused()
      }
    }
    #expect(identifiers == ["unrestoredValue"])
    #expect(recorder.take() == ["owner →nil"])
    withExtendedLifetime((token, owner)) {}
  }

  @Test(
    "P51, P52: a transaction that ends without an error names nothing, nor does a rollback in it")
  func deallocatedInOuter() {
    let deposit = Deposit()
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    let identifiers = reportedIdentifiers {
      withKeyValueTransaction {
        owner = nil
        try? withKeyValueTransaction {
          deposit.x = 1
          throw Refused()
        }
      }
    }
    #expect(identifiers == [])
    #expect(recorder.take() == ["owner →nil"])
    withExtendedLifetime((token, owner)) {}
  }

  @Test("P51: so is one that was set after the deallocation, and is nil again")
  func setAfterDeallocation() {
    let (deposit, other) = (Deposit(), Deposit())
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        owner = nil
        deposit.owner = other
        throw Refused()
      }
    }
    #expect(deposit.owner == nil)
    #expect(identifiers == ["unrestoredValue"])
    #expect(recorder.take() == ["owner →nil"])
    withExtendedLifetime((token, owner, other)) {}
  }

  @Test("P50: an object that a weak property was set to inside, and is deallocated, is no loss")
  func deallocatedAfterSet() {
    let (deposit, owner) = (Deposit(), Deposit())
    deposit.owner = owner
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        do {
          let short = Deposit()
          deposit.owner = short
        }
        #expect(deposit.owner == nil)
        throw Refused()
      }
    }
    #expect(deposit.owner === owner)
    #expect(identifiers == [])
    #expect(recorder.take() == [])
    withExtendedLifetime((token, owner)) {}
  }

  @Test(
    "P50: nor is it where the property was nil, of which observers receive nothing",
    arguments: [false, true])
  func deallocatedAfterSetOfNil(isInNested: Bool) {
    let deposit = Deposit()
    let tokens = [
      deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner")),
      deposit.observe(\.owner?.x, options: [.old, .new], changeHandler: recorder.receives("x")),
    ]
    func refuse(_ body: () -> Void) {
      try? withKeyValueTransaction {
        body()
        throw Refused()
      }
    }
    let identifiers = reportedIdentifiers {
      refuse {
        var short: Deposit? = Deposit()
        deposit.owner = short
        if isInNested { refuse { short = nil } } else { short = nil }
        #expect(deposit.owner == nil)
      }
      withKeyValueTransaction {
        var short: Deposit? = Deposit()
        refuse {
          deposit.owner = short
          short = nil
        }
      }
    }
    #expect(identifiers == (isInNested ? ["unrestoredValue"] : []))
    #expect(recorder.take() == [])
    withExtendedLifetime(tokens) {}
  }

  @Test("P50: nor is it where a transaction inside has set the property again")
  func deallocatedBeforeInnerSet() {
    let (deposit, other) = (Deposit(), Deposit())
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        var short: Deposit? = Deposit()
        deposit.owner = short
        try? withKeyValueTransaction {
          short = nil
          deposit.owner = other
          throw Refused()
        }
        throw Refused()
      }
    }
    #expect(identifiers == ["unrestoredValue"])
    #expect(deposit.owner == nil)
    #expect(recorder.take() == [])
    withExtendedLifetime((token, other)) {}
  }

  @Test("P54: a deallocation before a set that is taken back is delivered")
  func deallocatedBeforeSet() {
    let deposit = Deposit()
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    withKeyValueTransaction {
      owner = nil
      try? withKeyValueTransaction {
        do {
          let short = Deposit()
          deposit.owner = short
        }
        throw Refused()
      }
    }
    #expect(recorder.take() == ["owner →nil"])
    withExtendedLifetime((token, owner)) {}
  }

  @Test(
    "P54: so is one in a mutation in place, before a set in that", arguments: [false, true])
  func deallocatedInMutation(isSetAgain: Bool) {
    let (deposit, other) = (Deposit(), Deposit())
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    func replaceOwner(during _: inout Int) {
      owner = nil
      if isSetAgain { deposit.owner = other }
      var short: Deposit? = Deposit()
      deposit.owner = short
      short = nil
    }
    try? withKeyValueTransaction {
      replaceOwner(during: &deposit.x)
      throw Refused()
    }
    #expect(deposit.owner == nil)
    #expect(recorder.take() == ["owner →nil"])
    withExtendedLifetime((token, owner, other)) {}
  }

  @Test("P50: a weak property that was set keeps its former object, and gets it back")
  func replacedTarget() {
    let deposit = Deposit()
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    weak let former = owner
    let token = deposit.observe(\.owner, options: .new, changeHandler: recorder.receives("owner"))
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        deposit.owner = nil
        owner = nil
        #expect(former != nil)
        throw Refused()
      }
    }
    #expect(identifiers == [])
    // Nothing holds the object any more when the transaction has ended.
    #expect(recorder.take() == ["owner →nil"])
    #expect(former == nil)
    withExtendedLifetime((token, owner)) {}
  }

  @Test("P47, P51, P54: an object that is put back lives until the outermost transaction ends")
  func keptTarget() {
    let deposit = Deposit()
    var owner: Deposit? = Deposit()
    deposit.owner = owner
    let tokens = [
      deposit.observe(
        \.owner?.x, options: [.old, .new, .prior], changeHandler: recorder.receives("x"))
    ]
    owner?.x = 3
    _ = recorder.take()
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        deposit.owner = nil
        owner = nil
        throw Refused()
      }
      #expect(deposit.owner?.x == 3)
    }
    #expect(deposit.owner == nil)
    #expect(recorder.take() == ["x 3→ prior path", "x 3→3 path", "x 3→nil path"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P51: a source that refuses the former value is delivered, and named in one diagnostic")
  func refusingSource() throws {
    let source = WidgetSource(["small": 50, "upper": 1.0])
    let tokens = [
      try source.observe("small", options: options, changeHandler: recorder.receives("small")),
      try source.observe("upper", options: options, changeHandler: recorder.receives("upper")),
    ]
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        try source.setValue(4, forKey: "small")
        try source.setValue(5, forKey: "small")
        try source.setValue(2.0, forKey: "upper")
        throw Refused()
      }
    }
    #expect(source.widget.values["small"] as? Int == 5)
    #expect(source.widget.values["upper"] as? Double == 1)
    #expect(recorder.take() == ["small 50→5"])
    #expect(identifiers == ["unrestoredValue"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P51: a change that a source reports is put back if the key can be set, else delivered")
  func reportedChange() throws {
    let source = WidgetSource(["size": 1, "upper": 1.0])
    let tokens = [
      try source.observe("size", options: options, changeHandler: recorder.receives("size")),
      try source.observe("upper", options: options, changeHandler: recorder.receives("upper")),
    ]
    let identifiers = reportedIdentifiers {
      try? withKeyValueTransaction {
        source.widget.change("size", to: 2)
        source.widget.change("upper", to: 2.0)
        source.widget.change("upper", to: 3.0)
        throw Refused()
      }
    }
    #expect(source.widget.values["size"] as? Int == 2)
    #expect(source.widget.values["upper"] as? Double == 1)
    #expect(recorder.take() == ["size 1→2"])
    #expect(identifiers == ["unrestoredValue"])
    withExtendedLifetime(tokens) {}
  }
}
