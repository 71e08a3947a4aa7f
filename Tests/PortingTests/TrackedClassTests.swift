import KeyValueObservingObservation
import Testing

@Suite("An observable class that Observation tracks")
struct TrackedClassTests {
  struct Volume {
    var level = 0
  }

  @KeyValueObservable
  final class Screen {}

  // guide: tracked
  @KeyValueObservable
  class Player: Observable {
    var title = ""
    @KeyValueIgnored var volume = Volume()
    var level: Int {
      get {
        keyValueRegistrar.access("level", of: self)
        return volume.level
      }
      set { withMutation(of: \.level) { volume.level = newValue } }
    }
  }

  @KeyValueObservable
  final class VideoPlayer: Player {
    weak var screen: Screen?
  }
  // end

  @Test("P95: manual notifications, subclasses and weak properties are tracked")
  func tracked() throws {
    try expectPrints("tracked") {
      // guide: tracked
      let player = VideoPlayer()
      func track() {
        withObservationTracking {
          print(player.title, player.level, player.screen == nil)
        } onChange: {
          print("changes")
        }
      }
      track()  // prints  0 true
      player.title = "So What"  // prints changes
      track()  // prints So What 0 true
      player.level = 1  // prints changes
      do {
        let screen = Screen()
        player.screen = screen
        track()  // prints So What 1 false
      }
      // prints changes
      // end
      // Optimized, the player could be released before its screen.
      #expect(player.screen == nil)
    }
  }
}
