// error: 'nil' is not compatible with expected argument type 'any Actor'
// P96: a source belongs to the actor on which it is made, so it cannot be made elsewhere. The first line
// stands for that of the expansion of `#isolation`.

import KeyValueObservingObservation

@Observable
final class Song {
  var title = ""
}

nonisolated func source(of song: Song) -> ObservableSource<Song> {
  ObservableSource(song)  // error: call to actor-isolated initializer
}

@MainActor
func sourceOnActor(of song: Song) -> ObservableSource<Song> {
  ObservableSource(song)
}
