import KeyValueObserving
import Testing

@Suite("Porting registered undo actions")
struct UndoTests {
  // guide: undo
  @KeyValueObservable
  final class Shape {
    var x = 0.0
    var y = 0.0
  }
  // end

  @Test("P58, P59, P61: registered undo actions become a history")
  func manager() throws {
    try expectPrints("undo") {
      // guide: undo
      let shape = Shape()
      let history = KeyValueHistory(of: shape, limit: 100)
      let observation = history.onChange(of: \.undoName) { print("undo", $0 ?? "-") }

      history.withoutRecording { shape.x = 1 }
      withKeyValueTransaction {
        shape.x = 10
        shape.y = 20
        history.setGroupName("Move")
      }  // prints undo Move
      try history.undo()  // prints undo -
      print(shape.x, shape.y)  // prints 1.0 0.0
      withExtendedLifetime(observation) {}
      // end
    }
  }

  // guide: context
  @KeyValueObservable
  final class Track {
    var title = ""
  }

  @KeyValueObservable
  final class Album {
    var tracks: [Track] = []
  }

  struct Untitled: Error {}
  // end

  @Test("P50, P58: the undo and the rollback of a context become a history and a transaction")
  func context() throws {
    try expectPrints("context") {
      // guide: context
      let album = Album()
      let history = KeyValueHistory(of: album, includingReachable: true)
      album.tracks.append(Track())
      album.tracks[0].title = "So What"
      try history.undo()
      print(album.tracks.map(\.title))  // prints [""]

      try? withKeyValueTransaction {
        album.tracks.append(Track())
        throw Untitled()
      }
      print(album.tracks.count)  // prints 1
      // end
    }
  }
}
