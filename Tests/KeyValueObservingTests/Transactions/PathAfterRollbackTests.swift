import KeyValueObserving
import Testing

@KeyValueObservable
private final class Stop {
  var next: Stop?
  var platform: Stop?
  var count = 0
  var extra = 0
  var total: Int { count + extra }
  class func automaticallyNotifiesObserversOfPlatform() -> Bool { false }
}

/// Paths that are evaluated in a transaction, which is rolled back.
@Suite final class PathsAfterRollback {
  private let first = Stop()
  private let second = Stop()
  private let third = Stop()
  private let other = Stop()
  private let recorder = Recorder()

  private init() {
    (first.next, second.next, second.platform) = (second, third, third)
    (other.next, other.platform) = (other, other)
  }

  deinit { (other.next, other.platform) = (nil, nil) }

  @Test("P25, P50: a path comes back where a pair of an input of its last key stays open")
  func openPair() {
    let token = first.observe(
      \.next?.next?.total, options: [.old, .new], changeHandler: recorder.receives("total"))
    refuse {
      second.next = other
      third.willChangeValue(for: \.extra)
    }
    other.count = 7
    third.count = 5
    #expect(recorder.take() == ["total 0→5"])
    withExtendedLifetime(token) {}
  }

  enum Form: CaseIterable, Sendable {
    case oneTransaction, nestedTransaction, setInNestedTransaction
  }

  @Test(
    "P20, P25, P50, P52: a path comes back that has followed a set without a notification",
    arguments: Form.allCases)
  func unannouncedSet(_ form: Form) {
    let token = first.observe(
      \.next?.platform?.count, options: [.old, .new], changeHandler: recorder.receives("count"))
    func changeOthers() {
      other.count = 7
      third.count = 5
    }
    switch form {
    case .oneTransaction:
      refuse {
        first.next = other
        second.platform = other
      }
      changeOthers()
    case .nestedTransaction:
      withKeyValueTransaction {
        refuse {
          first.next = other
          second.platform = other
        }
        changeOthers()
      }
    case .setInNestedTransaction:
      refuse {
        first.next = other
        refuse { second.platform = other }
      }
      changeOthers()
    }
    #expect(recorder.take() == ["count 0→5"])
    withExtendedLifetime(token) {}
  }

  private func refuse(_ body: () -> Void) {
    #expect(throws: Refused.self) {
      try withKeyValueTransaction {
        body()
        throw Refused()
      }
    }
  }
}
