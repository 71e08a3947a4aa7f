import KeyValueObserving
import Observation
import Testing

@Suite("Porting @Observable")
struct ObservationTests {
  // guide: observable
  @KeyValueObservable
  final class Player: Observable {
    var title = ""
  }
  // end

  @Test("P8: a class that was @Observable keeps being Observable, and is observed as well")
  func both() throws {
    try expectPrints("observable") {
      // guide: observable
      let player = Player()
      player.title = "Blue in Green"
      let observation = player.onChange(of: \.title) { print("received", $0) }
      withObservationTracking {
        print("showing", player.title)
      } onChange: {
        print("redraw")
      }
      // prints showing Blue in Green
      player.title = "So What"
      // prints redraw
      // prints received So What
      observation.invalidate()
      // end
    }
  }
}
