import KeyValueObserving
import Testing

@KeyValueObservable
private final class Track {
  var number: Int
  var title: String?
  var next: Track?

  init(_ number: Int) { self.number = number }
}

/// Its `track` is observed, and notifies of no change.
@KeyValueObservable
private final class Player {
  var track: Track?
  var volume = 0
  var level: Int { volume + (track?.number ?? 0) }

  static func automaticallyNotifiesObserversOfTrack() -> Bool { false }

  /// Mutates the track in place.
  func mutate(_ body: (inout Track?) -> Void) { body(&track) }
}

/// Transactions while a property that does not notify is being mutated in place, and around that.
@Suite struct DuringMutationTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]
  private let player = Player()
  private let track = Track(1)
  private let tokens: [KeyValueObservation]

  init() {
    player.track = track
    tokens = [
      player.observe(\.level, options: options, changeHandler: recorder.receives("level")),
      player.observe(
        \.track?.number, options: options, changeHandler: recorder.receives("number")),
      player.observe(\.track?.title, options: options, changeHandler: recorder.receives("title")),
      player.observe(
        \.track?.next?.number, options: options, changeHandler: recorder.receives("next")),
    ]
  }

  private func refuse(_ body: () -> Void) {
    try? withKeyValueTransaction {
      body()
      throw Refused()
    }
  }

  private func change() {
    track.number = 2
    track.title = "b"
    track.next = Track(9)
    player.volume = 3
  }

  private func run(inTransaction isInTransaction: Bool, _ body: () -> Void) {
    if isInTransaction { withKeyValueTransaction(body) } else { body() }
  }

  @Test(
    "P20, P25: paths follow an object that a mutation in place stores without a notification",
    arguments: [false, true])
  func followedObject(isInTransaction: Bool) {
    let other = Track(5)
    run(inTransaction: isInTransaction) {
      player.mutate { $0 = other }
      other.number = 6
    }
    #expect(recorder.take() == ["number 5→6"])
    refuse { player.mutate { $0 = track } }
    track.title = "b"
    #expect(recorder.take() == [])
    other.title = "c"
    #expect(recorder.take() == ["title nil→c"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P8, P44: what changes during a mutation is delivered at the end of the transaction")
  func deliveredAtEnd() {
    withKeyValueTransaction {
      player.mutate { _ in change() }
      #expect(recorder.take() == [])
      player.volume = 4
    }
    #expect(
      recorder.take().sorted() == ["level →6", "next →9 path", "number →2", "title →b"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P8, P50, P52: what is taken back during a mutation is not delivered when that ends",
    arguments: [false, true], [false, true])
  func takenBack(isInTransaction: Bool, hasPriors: Bool) {
    let priors =
      !hasPriors
      ? []
      : [
        player.observe(\.volume, options: .prior) { _, _ in },
        track.observe(\.number, options: .prior) { _, _ in },
        track.observe(\.title, options: .prior) { _, _ in },
        track.observe(\.next, options: .prior) { _, _ in },
      ]
    run(inTransaction: isInTransaction) {
      player.mutate { _ in refuse(change) }
    }
    #expect(recorder.take() == [])
    change()
    #expect(
      recorder.take() == [
        "number 1→2", "level 1→2", "title nil→b", "next nil→9 path", "level 2→5",
      ])
    withExtendedLifetime((tokens, priors)) {}
  }

  @Test(
    "P8, P57: what is changed during a mutation in the names of observers passes over them",
    arguments: [false, true])
  func excluded(isInTransaction: Bool) {
    run(inTransaction: isInTransaction) {
      player.mutate { _ in
        withKeyValueTransaction(withoutNotifying: Array(tokens.dropLast()), change)
      }
    }
    #expect(recorder.take() == ["next →9 path"])
    run(inTransaction: isInTransaction) {
      player.mutate { _ in
        withKeyValueTransaction(withoutNotifying: tokens) { track.title = "c" }
      }
      withKeyValueTransaction { track.title = "d" }
    }
    #expect(recorder.take() == [isInTransaction ? "title →d" : "title c→d"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P8, P57: a transaction in the mutation in their names, or taken back, hides no change behind it",
    arguments: [false, true], [false, true])
  func changeBehindTransaction(isTakenBack: Bool, isInTransaction: Bool) {
    let prior = player.observe(\.volume, options: .prior) { _, _ in }
    player.mutate { _ in
      if isTakenBack {
        refuse { player.volume = 1 }
      } else {
        withKeyValueTransaction(withoutNotifying: tokens) { player.volume = 1 }
      }
      run(inTransaction: isInTransaction) { track.number = 3 }
    }
    #expect(recorder.take().contains("level →\(isTakenBack ? 3 : 4)"))
    withExtendedLifetime((tokens, prior)) {}
  }
}
