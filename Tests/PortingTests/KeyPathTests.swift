import KeyValueObserving
import Testing

@Suite("Porting #keyPath")
struct KeyPathTests {
  @KeyValueObservable
  final class Track {
    var title: String

    init(_ title: String) { self.title = title }
  }

  @KeyValueObservable
  final class Player {
    var track: Track?
  }

  @Test("P6, P7, P25: #keyPath becomes a typed key path, or a string that is checked")
  func checked() throws {
    try expectPrints("key-path") {
      // guide: key-path
      let player = Player()
      player.track = Track("So What")
      let titles = player.observe(\.track?.title, options: .new) { player, _ in
        print(player.track?.title ?? "no track")
      }
      player.track?.title = "All Blues"  // prints All Blues
      player.track = nil  // prints no track
      titles.invalidate()

      do {
        let observation = try player.observe("track.titel") { _, _ in }
        observation.invalidate()
      } catch {
        print(error)  // prints Track has no key 'titel'. Did you mean 'title'?
      }
      // end
    }
  }
}
