import KeyValueObservingObservation
import Testing

@Suite("A model with the macro @Observable as a source")
@MainActor
struct ObservableModelTests {
  @MainActor @Observable
  final class Artist {
    var name: String
    init(_ name: String) { self.name = name }
  }

  // guide: source
  @MainActor @Observable
  final class Song {
    var title = "So What"
    var rating = 0
    var artist: Artist?
  }

  @MainActor @KeyValueObservable
  final class NowPlaying {
    var song: ObservableSource<Song>?
    var heading: String { "♪ \(song?.title ?? "-")" }
  }
  // end

  @Test("P96: its changes are delivered with their values, in a turn after them")
  func source() async throws {
    try await expectPrints("source") {
      // guide: source
      let song = Song()
      let source = ObservableSource(song)
      let title = source.observe(\.title, options: [.old, .new]) { _, change in print(change) }
      let name = source.observe(\.[\.artist?.name], options: .new) { _, change in
        print(change)
      }

      let playing = NowPlaying()
      playing.song = source
      let heading = playing.onChange(of: \.heading) { print($0) }
      let rating = playing.onChange(of: \.song?.rating) { print($0 ?? 0) }

      song.title = "Blue"
      song.title = "Blue in Green"
      song.rating = 5
      song.artist = Artist("Miles Davis")
      await turn()
      // prints setting from "So What" to "Blue in Green"
      // prints ♪ Blue in Green
      // prints 5
      // prints setting to "Miles Davis"
      // end
      withExtendedLifetime((title, name, heading, rating)) {}
    }
  }

  /// Lets the main actor take turns until what the code above prints has been printed.
  private func turn() async {
    var turns = 0
    while let transcript = Transcript.current, transcript.lines.count < 4, turns < 1_000_000 {
      turns += 1
      await Task.yield()
    }
  }
}
