import KeyValueObservingFoundation
import Testing

@Suite("Porting NSKeyValueObservation in a property or a collection")
struct TokenTests {
  @KeyValueObservable
  final class Player {
    var rate = 0.0
    var title = ""
  }

  // guide: tokens
  final class Screen {
    private var observations: Set<NSKeyValueObservation> = []

    func show(_ player: Player) {
      observations.removeAll()
      player.observe(\.rate) { player, _ in print("rate", player.rate) }
        .store(in: &observations)
      player.observe(\.title) { player, _ in print("title", player.title) }
        .store(in: &observations)
    }
  }
  // end

  @Test("P32, P33, P34: NSKeyValueObservation ends with its last reference, or with its object")
  func tokens() throws {
    try expectPrints("tokens") {
      // guide: tokens
      let screen = Screen()
      var player = Player()
      screen.show(player)
      player.rate = 1  // prints rate 1.0

      let next = Player()
      screen.show(next)
      player.rate = 0
      next.title = "Blue in Green"  // prints title Blue in Green
      player = next
      // end
    }
  }
}
