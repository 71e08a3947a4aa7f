import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Notifications")
struct NotificationTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("changed")

  private final class Log {
    var values: [Int] = []
  }

  private func post(_ value: Int, from object: AnyObject? = nil) {
    center.post(name: name, object: object, userInfo: ["value": value])
  }

  @Test("P8: a notification is received before post returns")
  func received() {
    let log = Log()
    let token = center.onNotification(name) { log.values.append($0.userInfo?["value"] as! Int) }
    post(1)
    post(2)
    center.post(name: Notification.Name("other"), object: nil)
    #expect(log.values == [1, 2])
    token.invalidate()
  }

  @Test("P40: a notification that goes to an actor keeps an object that is a value")
  @MainActor
  func valueAsObject() async {
    var objects: [String?] = []
    let token = center.onNotification(name) { objects.append($0.object as? String) }
    let (center, name) = (center, name)
    await Task.detached { center.post(name: name, object: "report.txt") }.value
    while objects.isEmpty { await Task.yield() }
    #expect(objects == ["report.txt"])
    token.invalidate()
  }

  @Test("P32: the observation ends with the last reference to its token, and the closure with it")
  func endsWithToken() {
    let log = Log()
    var isReleased = false
    var canary: Canary? = Canary { isReleased = true }
    var token: NotificationObservation? = center.onNotification(name) { [canary] _ in
      _ = canary
      log.values.append(0)
    }
    var other = token
    canary = nil
    post(1)
    token = nil
    post(2)
    #expect(log.values.count == 2 && !isReleased)
    #expect(other != nil)
    other = nil
    post(3)
    #expect(log.values.count == 2 && isReleased)
  }

  @Test("P32: a set of tokens keeps those of notifications beside others, and ends them")
  func oneBag() {
    let log = Log()
    var set: Set<KeyValueObservation> = []
    var array: [KeyValueObservation] = []
    let token = center.onNotification(name) { _ in log.values.append(1) }
    token.store(in: &set)
    center.onNotification(name) { _ in log.values.append(2) }.store(in: &array)
    post(0)
    #expect(log.values.sorted() == [1, 2] && token.isActive)
    set = []
    array = []
    #expect(!token.isActive)
    post(0)
    #expect(log.values.count == 2)
  }

  @Test("P31: a token is active until it is invalidated")
  func isActive() {
    let token = center.onNotification(name) { _ in }
    #expect(token.isActive)
    token.invalidate()
    #expect(!token.isActive)
  }

  @Test("P32: a set or an array keeps tokens, and ends their observations when it lets them go")
  func stored() {
    let log = Log()
    var set: Set<NotificationObservation> = []
    var array: [NotificationObservation] = []
    center.onNotification(name) { _ in log.values.append(1) }.store(in: &set)
    center.onNotification(name) { _ in log.values.append(2) }.store(in: &array)
    post(0)
    #expect(log.values.sorted() == [1, 2])
    set = []
    post(0)
    #expect(log.values.sorted() == [1, 2, 2])
    array = []
    post(0)
    #expect(log.values.sorted() == [1, 2, 2])
  }

  @Test("P32: a token that is not kept ends the observation at once")
  func notKept() {
    let log = Log()
    _ = center.onNotification(name) { _ in log.values.append(0) }
    post(1)
    #expect(log.values == [])
  }

  @Test("P31: a token may be invalidated again, and inside its own callback")
  func invalidated() {
    let log = Log()
    var isReleased = false
    var canary: Canary? = Canary { isReleased = true }
    var token: NotificationObservation?
    token = center.onNotification(name) { [canary] _ in
      _ = canary
      log.values.append(0)
      token?.invalidate()
    }
    canary = nil
    post(1)
    post(2)
    #expect(log.values.count == 1)
    #expect(isReleased)
    token?.invalidate()
  }

  @Test("P31: one that another observer ends before its turn is not called")
  func endedByAnother() {
    let log = Log()
    var tokens: [NotificationObservation] = []
    for _ in 0..<2 {
      tokens.append(
        center.onNotification(name) { _ in
          log.values.append(0)
          for token in tokens { token.invalidate() }
        })
    }
    post(1)
    #expect(log.values.count == 1)
  }

  @Test("Only the notifications of the given object are received, if one was given")
  func objects() {
    let log = Log()
    let sender = Canary {}
    let token = center.onNotification(name, object: sender) {
      log.values.append($0.userInfo?["value"] as! Int)
    }
    post(1)
    post(2, from: sender)
    post(3, from: log)
    #expect(log.values == [2])
    token.invalidate()
  }

  @Test("P5: neither the center nor the token retains the sender of the notifications")
  func retainsNothing() {
    var sender: Canary? = Canary {}
    weak let weakSender = sender
    let token = center.onNotification(name, object: sender) { _ in }
    sender = nil
    #expect(weakSender == nil)
    token.invalidate()
  }

  @Test("After deallocation of the sender, an object at its address is not observed")
  func reusedAddress() {
    let log = Log()
    var tokens: [NotificationObservation] = []
    for _ in 0..<100 {
      // The memory of one is what the next is given, unless something keeps it.
      tokens.append(center.onNotification(name, object: Canary {}) { _ in log.values.append(0) })
      post(1, from: Canary {})
    }
    #expect(log.values.count == 0)
    tokens = []
  }

  @Test("P34: a token may be dumped with all that it holds though its object is gone")
  func dumped() {
    let token = center.onNotification(name, object: Canary {}) { _ in }
    var text = ""
    dump(token, to: &text)
    #expect(text.contains("NotificationObservation"))
  }

  @Test("P40: what the main actor registers is called there, in order, wherever it is posted")
  @MainActor
  func mainActor() {
    let log = Log()
    let token = center.onNotification(name) { notification in
      log.values.append(notification.userInfo?["value"] as! Int)
    }
    post(1)
    #expect(log.values == [1])
    let center = self.center
    let name = self.name
    elsewhere {
      for value in 2...4 { center.post(name: name, object: nil, userInfo: ["value": value]) }
    }
    #expect(log.values == [1])
    post(5)
    #expect(log.values == [1, 2, 3, 4, 5])
    token.invalidate()
    post(6)
    #expect(log.values.count == 5)
  }

  @Test("P34, P40: what an object posts in its own deinit is handed over without the object")
  @MainActor
  func postedInDeinit() {
    let log = Log()
    let token = center.onNotification(name) { notification in
      log.values.append(notification.object == nil ? 0 : 1)
    }
    let center = self.center
    let name = self.name
    elsewhere { for _ in 1...2 { _ = Farewell(center, name) } }
    #expect(log.values == [])
    _ = Farewell(center, name)
    #expect(log.values == [0, 0, 1])
    token.invalidate()
  }

  /// Posts itself when it is gone.
  private final class Farewell {
    private let center: NotificationCenter
    private let name: Notification.Name

    init(_ center: NotificationCenter, _ name: Notification.Name) {
      self.center = center
      self.name = name
    }

    deinit { center.post(name: name, object: self) }
  }

  @Test("P31, P38: posting and ending race without a call after the end")
  func races() async {
    let center = self.center
    let name = self.name
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<200 { center.post(name: name, object: nil) }
        }
        group.addTask {
          for _ in 0..<200 {
            let token = center.onNotification(name, isolation: nil) { _ in }
            token.invalidate()
          }
        }
      }
    }
    let log = Log()
    let token = center.onNotification(name) { _ in log.values.append(0) }
    token.invalidate()
    post(1)
    #expect(log.values == [])
  }
}
