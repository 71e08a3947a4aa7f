import KeyValueObserving
import Testing

@KeyValueObservable
private final class Track {
  var title: String
  var artist: Artist?
  var notes: [String] = []

  init(_ title: String, by artist: Artist? = nil) { (self.title, self.artist) = (title, artist) }
}

@KeyValueObservable
private final class Artist {
  var name = "Miles"
  var nickname: String?
}

@KeyValueObservable
private final class Player {
  var track: Track?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var outlet: Track!
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  weak var guest: Track!
  var volume = 0

  /// The track that is played, which a getter computes.
  var current: Track? { volume > 0 ? track : nil }
}

extension AllTests {
  /// Typed key paths that unwrap an intermediate object, which may be nil.
  @Suite struct UnwrappingPaths {
    private let player = Player()

    @Test("P26: a path that unwraps an intermediate object has no value while that is nil")
    func marked() {
      var log: [String] = []
      let token = player.observe(\.track!.title, options: [.old, .new]) { _, change in
        log.append("\(change.oldValue ?? "-")→\(change.newValue ?? "-") \(change.reason)")
      }
      player.track = Track("So What")
      player.track?.title = "Blue in Green"
      player.track = nil
      player.track = nil
      player.track = Track("Freddie Freeloader")
      #expect(
        log == [
          "-→So What pathChanged", "So What→Blue in Green valueChanged",
          "Blue in Green→- pathChanged", "-→- pathChanged", "-→Freddie Freeloader pathChanged",
        ])
      withExtendedLifetime(token) {}
    }

    @Test("P26: so has one through a property that is declared with an exclamation mark")
    func implicitlyUnwrapped() {
      var log: [String?] = []
      let token = player.observe(\.outlet.title, options: [.initial, .new]) { _, change in
        log.append(change.newValue)
      }
      player.outlet = Track("So What")
      player.outlet = nil
      #expect(log == [nil, "So What", nil])
      withExtendedLifetime(token) {}
    }

    @Test("P26, P27: so has one through a weak property, when its object is deallocated")
    func weakOutlet() {
      var log: [String] = []
      let token = player.observe(\.guest.title, options: [.old, .new]) { _, change in
        log.append("\(change.oldValue ?? "-")→\(change.newValue ?? "-")")
      }
      do {
        let guest = Track("Solea")
        player.guest = guest
        withExtendedLifetime(guest) {}
      }
      #expect(log == ["-→Solea", "Solea→-"])
      withExtendedLifetime(token) {}
    }

    @Test("P26: so has one that unwraps twice, or what a getter computes")
    func severalMarks() {
      var (names, titles): ([String?], [String?]) = ([], [])
      let tokens = [
        player.observe(\.track!.artist!.name, options: .new) { names.append($1.newValue) },
        player.observe(\.current!.title, options: .new) { titles.append($1.newValue) },
      ]
      player.track = Track("So What")
      player.track?.artist = Artist()
      player.track?.artist?.name = "Bill"
      player.volume = 1
      player.volume = 0
      player.track = nil
      #expect(names == [nil, "Miles", "Bill", nil])
      #expect(titles == ["So What", nil])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26: an optional value behind a nil object is nil, and not absent")
    func optionalValue() {
      var log: [String??] = []
      let token = player.observe(\.outlet.artist!.nickname, options: [.initial, .new]) {
        log.append($1.newValue)
      }
      player.outlet = Track("So What", by: Artist())
      player.outlet.artist?.nickname = "Prince of Darkness"
      player.outlet = nil
      #expect(log == [.some(nil), .some(nil), "Prince of Darkness", .some(nil)])
      withExtendedLifetime(token) {}
    }

    @Test("P9, P26: distinct leaves out no value after no value, and nothing else")
    func distinct() {
      var log: [String?] = []
      let token = player.observe(\.track!.title, options: [.new, .distinct]) {
        log.append($1.newValue)
      }
      player.track = nil
      player.track = Track("So What")
      player.track = nil
      player.track = nil
      player.track = Track("So What")
      player.track = Track("So What")
      #expect(log == ["So What", nil, "So What"])
      withExtendedLifetime(token) {}
    }

    @Test("P26: onChange(of:) is called with values only")
    func onChange() {
      var titles: [String] = []
      var pairs: [String] = []
      var counts: [Int] = []
      let tokens = [
        player.onChange(of: \.outlet.title) { titles.append($0) },
        player.onChange(of: \.outlet.title) { pairs.append("\($0)→\($1)") },
        player.onChange(of: \.outlet.notes) { counts.append($0.count) },
      ]
      player.outlet = Track("So What")
      player.outlet.title = "All Blues"
      player.mutableArrayValue(for: \.outlet.notes).append("modal")
      player.outlet = nil
      #expect(titles == ["So What", "All Blues"])
      #expect(pairs == ["So What→So What", "So What→All Blues"])
      #expect(counts == [0, 1])
      withExtendedLifetime(tokens) {}
    }

    @Test("P26, P41: values(of:) has elements for values only", .timeLimit(.minutes(5)))
    func values() async {
      let values = player.values(of: \.outlet.title)
      player.outlet = Track("So What")
      player.outlet = nil
      player.outlet = Track("All Blues")
      var titles: [String] = []
      for await title in values {
        titles.append(title)
        if titles.count == 2 { break }
      }
      #expect(titles == ["So What", "All Blues"])
    }

    @Test("P26, P44: so has one in a transaction, also if that is rolled back")
    func transaction() {
      struct Refused: Error {}
      var log: [String] = []
      let token = player.observe(\.track!.title, options: [.old, .new]) { _, change in
        log.append("\(change.oldValue ?? "-")→\(change.newValue ?? "-")")
      }
      withKeyValueTransaction {
        player.track = Track("So What")
        player.track?.title = "All Blues"
      }
      withKeyValueTransaction { player.track = nil }
      try? withKeyValueTransaction {
        player.track = Track("Solea")
        throw Refused()
      }
      #expect(log == ["-→All Blues", "All Blues→-"])
      withExtendedLifetime(token) {}
    }

    @Test("P26: a reason, elements and a binding work along it")
    func otherObservers() {
      var reasons: [KeyValueChangeReason] = []
      let observer = KeyValueObserver(source: player, keyPath: \.outlet.title) { _, reason in
        reasons.append(reason)
      }
      var notes: [String] = []
      let elements = player.observeElements(of: \.outlet.notes) { _, change in
        notes = notes.applying(change.difference) ?? []
      }
      let label = Artist()
      let binding = label.bind(\.name, to: player, \.outlet.title)
      let track = Track("So What")
      track.notes = ["modal", "slow"]
      player.outlet = track
      #expect(notes == ["modal", "slow"])
      player.mutableArrayValue(for: \.outlet.notes).append("blue")
      player.outlet.title = "All Blues"
      #expect(label.name == "All Blues")
      #expect(notes == ["modal", "slow", "blue"])
      player.outlet = nil
      #expect(label.name == "All Blues")
      #expect(reasons == [.valueChanged, .pathChanged, .valueChanged, .pathChanged])
      #expect(notes == [])
      withExtendedLifetime((observer, elements, binding)) {}
    }

    @Test("P11, P26: old values chain through no value, in a mutation block and where handlers set")
    func chains() {
      var log: [String] = []
      let token = player.observe(\.track!.artist!.name, options: [.old, .new]) { _, change in
        log.append("\(change.oldValue ?? "-")→\(change.newValue ?? "-")")
      }
      player.track = Track("So What", by: Artist())
      player.withMutation(of: \.track) { player.track?.artist = nil }
      player.withMutation(of: \.track) { player.track?.artist = Artist() }
      #expect(log == ["-→Miles", "Miles→-", "-→-", "-→Miles", "Miles→Miles"])
      withExtendedLifetime(token) {}
    }

    @Test("P11, P26: a handler that gives the path a value again is followed by that value only")
    func setInHandler() {
      player.outlet = Track("So What")
      let first = player.observe(\.outlet) { player, _ in
        if player.outlet == nil { player.outlet = Track("All Blues") }
      }
      var pairs: [String] = []
      let token = player.onChange(of: \.outlet.title) { pairs.append("\($0)→\($1)") }
      player.outlet = nil
      #expect(pairs == ["All Blues→All Blues"])
      withExtendedLifetime((first, token)) {}
    }

    @Test("P26, P41: an iterator that begins while there is no value waits for the next one")
    func lateIterator() async {
      let values = player.values(of: \.outlet.title)
      var first = values.makeAsyncIterator()
      player.outlet = Track("So What")
      #expect(await first.next() == "So What")
      player.outlet = nil
      var second = values.makeAsyncIterator()
      player.outlet = Track("All Blues")
      #expect(await second.next() == "All Blues")
    }
  }
}
