import KeyValueObserving
import Testing

@Suite("Porting @objc dynamic var")
struct DynamicPropertyTests {
  // guide: dynamic
  @KeyValueObservable
  final class Player {
    var rate = 0.0
    var state = State.idle

    enum State {
      case idle
      case playing(track: Int)
    }
  }
  // end

  @Test("P8, P16: @objc dynamic var becomes a plain var, which may have any type")
  func plainProperties() throws {
    try expectPrints("dynamic") {
      // guide: dynamic
      let player = Player()
      let observation = player.observe(\.state, options: .new) { _, change in
        print(change.newValue ?? .idle)
      }
      player.state = .playing(track: 3)  // prints playing(track: 3)
      observation.invalidate()
      // end
    }
  }
}
