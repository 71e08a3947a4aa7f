import KeyValueObserving
import Testing

@KeyValueObservable
private class Playlist {
  var songs = [1, 2, 3]
}

@KeyValueObservable
private final class SharedPlaylist: Playlist {
  override var songs: [Int] {
    get { super.songs }
    set { super.songs = newValue }
  }
}

/// Edits of a collection, one of which a callback of another one makes.
@Suite struct OverriddenCollectionTests {
  private static let edits: [@Sendable (Playlist) -> Void] = [
    { $0.mutableArrayValue(for: \.songs).append(7) },
    { $0.mutableArrayValue(for: \.songs).insert(8, at: 0) },
    { $0.mutableArrayValue(for: \.songs).remove(at: 0) },
    { $0.mutableArrayValue(for: \.songs)[1] = 9 },
    { $0.mutableArrayValue(for: \.songs).replaceSubrange(0..<2, with: [4, 5]) },
    { $0.mutableArrayValue(for: \.songs).reverse() },
    { try? $0.mutableArrayValue(forKey: "songs").append(12) },
    { $0.songs.append(11) },
    { $0.songs = [5, 6, 4] },
  ]

  /// Follows a collection by the changes that it receives.
  private final class Follower {
    var songs: [Int]
    var faults: [String] = []

    init(_ songs: [Int]) { self.songs = songs }

    func receive(_ change: KeyValueChange<[Int]>) {
      let (old, new) = (change.oldValue ?? [], change.newValue ?? [])
      let indexes = change.indexes?.ranges.flatMap { Array($0) } ?? []
      if change.kind == .setting {
        if old != songs { faults.append("\(change) of \(songs)") }
        return songs = new
      }
      if change.kind != .insertion {
        if indexes.map({ songs[$0] }) != old { faults.append("\(change) of \(songs)") }
        for index in indexes.reversed() { songs.remove(at: index) }
      }
      for (index, song) in zip(indexes, new) { songs.insert(song, at: index) }
    }
  }

  @Test(
    "P11, P35, P37, P41: edits by callbacks of an overridden collection chain for all observers",
    arguments: [false, true], 0..<2)
  func chain(isInTransaction: Bool, reacting position: Int) async {
    for playlist in [Playlist(), SharedPlaylist()] {
      for edit in Self.edits {
        for reaction in Self.edits {
          playlist.songs = [1, 2, 3]
          let (follower, elements) = (Follower(playlist.songs), Follower(playlist.songs))
          var hasReacted = false
          func react(at index: Int) {
            if index != position || hasReacted { return }
            hasReacted = true
            reaction(playlist)
          }
          let tokens = [
            playlist.observe(\.songs) { _, _ in react(at: 0) },
            playlist.observe(\.songs, options: [.old, .new]) { follower.receive($1) },
            playlist.observeElements(of: \.songs) { _, change in
              elements.songs = elements.songs.applying(change.difference) ?? []
            },
            playlist.observe(\.songs) { _, _ in react(at: 1) },
          ]
          var values = playlist.values(of: \.songs).makeAsyncIterator()
          if isInTransaction {
            withKeyValueTransaction { edit(playlist) }
          } else {
            edit(playlist)
          }
          #expect(follower.faults == [])
          #expect(follower.songs == playlist.songs && elements.songs == playlist.songs)
          _ = await values.next()
          _ = await values.next()
          #expect(await values.next() == playlist.songs)
          for token in tokens { token.invalidate() }
        }
      }
    }
  }
}
