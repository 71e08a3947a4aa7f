import KeyValueObserving
import Testing

@Suite("Porting mutableArrayValue(forKey:)")
struct CollectionTests {
  // guide: array
  @KeyValueObservable
  final class Playlist {
    var tracks: [String] = []
  }
  // end

  @Test("P35, P36, P37: mutableArrayValue(forKey:) becomes a typed proxy, or nothing at all")
  func proxies() throws {
    try expectPrints("array") {
      // guide: array
      let playlist = Playlist()
      let changes = playlist.observe(\.tracks, options: [.old, .new]) { _, change in
        print(change.kind, change.newValue ?? [])
      }
      let tracks = playlist.mutableArrayValue(for: \.tracks)
      tracks.append(contentsOf: ["So What", "Blue in Green"])
      // prints insertion ["So What", "Blue in Green"]
      tracks[1] = "All Blues"  // prints replacement ["All Blues"]
      playlist.tracks.removeFirst()  // prints setting ["All Blues"]
      changes.invalidate()

      let elements = playlist.observeElements(of: \.tracks) { _, change in
        for insertion in change.insertions { print(insertion.offset, insertion.element) }
      }
      playlist.tracks = ["All Blues", "Flamenco Sketches"]  // prints 1 Flamenco Sketches
      elements.invalidate()
      // end
    }
  }
}
