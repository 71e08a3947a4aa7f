import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Porting closures added to a NotificationCenter")
struct NotificationTests {
  final class Player {
    static let didEnd = Notification.Name("PlayerDidEnd")
  }

  // guide: notifications
  final class Queue {
    private var observation: NotificationObservation?

    func follow(_ player: Player) {
      let center = NotificationCenter.default
      observation = center.onNotification(Player.didEnd, object: player) {
        [unowned self] _ in playNext()
      }
    }

    func playNext() { print("next") }
  }
  // end

  @Test("P31, P32, P40: a closure added to a NotificationCenter ends with its token")
  func tokens() throws {
    try expectPrints("notifications") {
      // guide: notifications
      let player = Player()
      do {
        let queue = Queue()
        queue.follow(player)
        NotificationCenter.default.post(name: Player.didEnd, object: player)  // prints next
      }
      NotificationCenter.default.post(name: Player.didEnd, object: player)
      // end
    }
  }
}
