import KeyValueObservingFoundation
import Testing

@Suite("Porting observe(_:options:changeHandler:)")
struct ObserveTests {
  @KeyValueObservable
  final class Player {
    var rate = 0.0
  }

  // guide: observe
  final class Meter {
    private var observation: NSKeyValueObservation?

    func measure(_ player: Player) {
      observation = player.observe(\.rate, options: [.initial, .old, .new]) {
        [unowned self] player, change in
        print(change.oldValue ?? 0, "→", change.newValue ?? 0)
        if player.rate > 1 { stop() }
      }
    }

    func stop() { observation = nil }
  }
  // end

  @Test("P1, P2, P31: observe(_:) stays as it is, and may be ended by its own closure")
  func observing() throws {
    try expectPrints("observe") {
      // guide: observe
      let player = Player()
      let meter = Meter()
      meter.measure(player)  // prints 0.0 → 0.0
      player.rate = 1  // prints 0.0 → 1.0
      player.rate = 1  // prints 1.0 → 1.0
      player.rate = 2  // prints 1.0 → 2.0
      player.rate = 1
      // end
    }
  }
}
