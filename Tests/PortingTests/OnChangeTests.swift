import KeyValueObserving
import Testing

@Suite("Porting a block-based onChange helper")
struct OnChangeTests {
  @KeyValueObservable
  final class Player {
    var rate = 0.0
    var title = ""
  }

  @Test("P8, P10, P32: an onChange helper of one's own becomes onChange(of:perform:)")
  func helper() throws {
    try expectPrints("on-change") {
      // guide: on-change
      let player = Player()
      let rates = player.onChange(of: \.rate) { print("rate", $0) }
      let anything = player.onChange(of: \.rate, \.title) { print("redraw") }
      player.title = "So What"  // prints redraw
      player.rate = 1
      // prints rate 1.0
      // prints redraw
      rates.invalidate()
      anything.invalidate()
      // end
    }
  }
}
