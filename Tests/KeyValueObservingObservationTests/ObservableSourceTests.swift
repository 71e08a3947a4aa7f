import KeyValueObservingObservation
import Testing

@Observable
private final class Stranger {
  var number = 7
}

@Suite("An object of a class with the macro @Observable, as a source")
@MainActor
struct ObservableSourceTests {
  let history = History()
  let song = Song()

  @Test("P96: a change is delivered in a turn after it, on the actor, with its values")
  func change() async {
    let source = ObservableSource(song)
    let token = source.observe(\.title, options: [.old, .new, .initial]) { [history] _, change in
      MainActor.assertIsolated()
      history.write("\(change)")
    }
    #expect(history.take() == ["setting to a"])
    song.title = "b"
    #expect(history.take() == [])
    #expect(await history.next() == ["setting from a to b"])
    song.title = "c"
    #expect(await history.next() == ["setting from b to c"])
    withExtendedLifetime(token) {}
  }

  @Test("P96: several sets are one change, with the first old value and the last new one")
  func coalescing() async {
    let source = ObservableSource(song)
    let token = source.observe(\.title, options: [.old, .new], changeHandler: history.handler())
    for title in ["b", "c", "d"] { song.title = title }
    source.title = "e"
    #expect(await history.next() == ["setting from a to e"])
    song.notes.append("x")
    song.title = "f"
    #expect(await history.next() == ["setting from e to f"])
    withExtendedLifetime(token) {}
  }

  @Test("P42, P96: a source has no key of a source of another class")
  func foreignKey() throws {
    let (source, other) = (ObservableSource(song), ObservableSource(Stranger()))
    let token = source.observe(\.title) { _, _ in }
    // Other tests of the class register further keys, some of which have no value.
    let key = try #require(
      (1...999).lazy.map { "#\($0)" }.first {
        (try? source.value(forKey: $0)) as? String == song.title
      })
    #expect(throws: KeyValueCodingError.self) { try other.value(forKey: key) }
    #expect(throws: KeyValueCodingError.self) { try other.observe(key) { _, _ in } }
    withExtendedLifetime(token) {}
  }

  @Test("P96: there are no prior notifications")
  func prior() async {
    let source = ObservableSource(song)
    let token = source.observe(\.title, options: [.prior, .new], changeHandler: history.handler())
    song.title = "b"
    #expect(await history.next() == ["setting to b"])
    withExtendedLifetime(token) {}
  }

  @Test("P96: while a change is delivered, the source has the value that is delivered")
  func deliveredValue() async {
    let source = ObservableSource(song)
    let history = history
    let token = source.observe(\.title, options: [.old, .new]) { source, change in
      if change.newValue == "b" { source.model.title = "c" }
      history.write("\(change), source \(source.title), model \(source.model.title)")
    }
    let other = source.observe(\.title, options: [.new]) { source, change in
      history.write("other \(change), source \(source.title)")
    }
    song.title = "b"
    #expect(
      await history.next(4) == [
        "setting from a to b, source b, model c", "other setting to b, source b",
        "setting from b to c, source c, model c", "other setting to c, source c",
      ])
    #expect(source.title == "c")
    withExtendedLifetime((token, other)) {}
  }

  @Test("P96: a mutation in place while a change is delivered begins with the present value")
  func mutationsInPlace() async {
    let source = ObservableSource(song)
    let history = history
    let rating = source.observe(\.rating, options: [.old, .new], changeHandler: history.handler())
    let notes = source.observe(\.notes, options: [.new], changeHandler: history.handler())
    let title = source.observe(\.title) { source, _ in
      source.rating += 1
      source.rating += 1
      source.notes.append("x")
      source[\.notes].append("y")
      history.write("title")
    }
    song.title = "b"
    song.rating = 5
    #expect(
      await history.next(3) == ["title", "setting from 0 to 7", "setting to [x, y]"])
    #expect(song.rating == 7)
    #expect(song.notes == ["x", "y"])
    withExtendedLifetime((rating, notes, title)) {}
  }

  @Test("P35, P96: so does an edit by proxy, and a mutation in place at a key path of the source")
  func editsByProxy() async {
    let source = ObservableSource(song)
    let history = history
    let playing = NowPlaying(source)
    let rating = source.observe(\.rating, options: [.old, .new], changeHandler: history.handler())
    let notes = source.observe(\.notes, options: [.new], changeHandler: history.handler())
    let title = source.observe(\.title) { [unowned playing] source, _ in
      let keyPath = \ObservableSource<Song>.rating
      source[keyPath: keyPath] += 1
      source[keyPath: keyPath] += 1
      history.write("read \(source[keyPath: keyPath])")
      let proxy = source.mutableArrayValue(for: \.notes)
      proxy.append("x")
      proxy.append("y")
      proxy.remove(at: 0)
      playing.mutableArrayValue(for: \.source!.notes).append("z")
    }
    song.notes = ["a"]
    song.title = "b"
    song.notes.append("b")
    song.rating = 5
    #expect(
      await history.next(4) == [
        "setting to [a, b]", "read 0", "setting from 0 to 7", "setting to [b, x, y, z]",
      ])
    #expect(song.rating == 7)
    #expect(song.notes == ["b", "x", "y", "z"])
    withExtendedLifetime((rating, notes, title, playing)) {}
  }

  @Test("P96: an observer of what is edited by proxy reads the delivered value, as a getter does")
  func readsInsideOfEdit() async {
    let source = ObservableSource(song)
    let history = history
    let playing = NowPlaying(source)
    let tokens = [
      playing.observe(\.cover) { playing, _ in history.write("\(playing.source?.rating ?? -1)") },
      playing.observe(\.caption, options: .new, changeHandler: history.handler()),
      source.observe(\.title) { [unowned playing] _, _ in
        playing.mutableArrayValue(for: \.cover.lines).append("x")
      },
      source.observe(\.rating) { _, _ in history.write("rating") },
    ]
    song.title = "b"
    song.rating = 5
    #expect(await history.next(4) == ["0", "setting to x0", "rating", "setting to x5"])
    withExtendedLifetime((playing, tokens)) {}
  }

  @Test("P35, P96: a proxy of a source counts the elements that it edits")
  func countByProxy() async {
    let source = ObservableSource(song)
    let history = history
    song.notes = ["a", "b"]
    let notes = source.observe(\.notes, options: [.new], changeHandler: history.handler())
    let title = source.observe(\.title) { source, _ in
      let proxy = source.mutableArrayValue(for: \.notes)
      history.write("\(source.notes.count) \(proxy.count)")
      proxy.remove(at: proxy.count - 1)
    }
    song.title = "t"
    song.notes = ["c"]
    #expect(await history.next(2) == ["2 1", "setting to []"])
    #expect(song.notes == [])
    withExtendedLifetime((notes, title)) {}
  }

  @Test("P96: the rest of a mutation that suspends is delivered with the next change")
  func suspendedMutation() async {
    let (song, history) = (song, history)
    let source = ObservableSource(song)
    let token = source.observe(\.rating, options: [.old, .new], changeHandler: history.handler())
    func mutate(_ rating: inout Int) async -> [String] {
      rating = 1
      let lines = await history.next()
      rating = 2
      return lines
    }
    #expect(await mutate(&song.rating).count == 1)
    song.rating = 3
    #expect(await history.next().last?.hasSuffix("to 3") == true)
    withExtendedLifetime(token) {}
  }

  @Test("P96: a key whose change is still to be delivered has its former value meanwhile")
  func severalKeys() async {
    let source = ObservableSource(song)
    let history = history
    let title = source.observe(\.title, options: [.new]) { source, change in
      history.write("title \(change), rating \(source.rating)")
    }
    let rating = source.observe(\.rating, options: [.new]) { source, change in
      history.write("rating \(change), title \(source.title)")
    }
    song.title = "b"
    song.rating = 1
    #expect(
      await history.next(2) == ["title setting to b, rating 0", "rating setting to 1, title b"])
    withExtendedLifetime((title, rating)) {}
  }

  @Test("P96: a computed property that reads the source changes with it, with its own values")
  func computed() async {
    let playing = NowPlaying(ObservableSource(song))
    let heading = playing.observe(
      \.heading, options: [.old, .new], changeHandler: history.handler())
    song.title = "b"
    #expect(await history.next() == ["setting from ♪ a to ♪ b"])
    playing.prefix = ""
    #expect(history.take() == ["setting from ♪ b to b"])
    heading.invalidate()
    let summary = playing.observe(
      \.summary, options: [.old, .new], changeHandler: history.handler())
    song.title = "c"
    song.rating = 2
    #expect(await history.next(2) == ["setting from b 0 to c 0", "setting from c 0 to c 2"])
    withExtendedLifetime((playing, summary)) {}
  }

  @Test("P96: the source is an intermediate object of key paths")
  func keyPath() async {
    let playing = NowPlaying()
    let token = playing.observe(
      \.source?.title, options: [.old, .new], changeHandler: history.handler())
    playing.source = ObservableSource(song)
    #expect(history.take() == ["setting from nil to a, path changed"])
    song.title = "b"
    #expect(await history.next() == ["setting from a to b"])
    let other = Song("x")
    playing.source = ObservableSource(other)
    #expect(history.take() == ["setting from b to x, path changed"])
    song.title = "silent"
    other.title = "y"
    #expect(await history.next() == ["setting from x to y"])
    withExtendedLifetime((playing, token)) {}
  }

  @Test("P96: a key path in brackets is tracked as a whole")
  func longKeyPath() async {
    let source = ObservableSource(song)
    let token = source.observe(
      \.[\.artist?.name], options: [.old, .new], changeHandler: history.handler())
    let artist = Artist("Mingus")
    song.artist = artist
    #expect(await history.next() == ["setting from nil to Mingus"])
    artist.name = "Monk"
    #expect(await history.next() == ["setting from Mingus to Monk"])
    song.artist = nil
    #expect(await history.next() == ["setting from Monk to nil"])
    withExtendedLifetime(token) {}
  }

  @Test("P96: a property with the name of a member of the source is named in brackets")
  func brackets() async {
    let source = ObservableSource(Reading())
    let token = source.observe(\.[\.value], options: .new, changeHandler: history.handler())
    source[\.value] = 1
    #expect(source[\.value] == 1)
    #expect(await history.next() == ["setting to 1"])
    withExtendedLifetime((source, token)) {}
  }

  @Test("P96: a set through the source sets the model at once")
  func writing() async {
    let source = ObservableSource(song)
    let token = source.observe(\.notes, options: [.new], changeHandler: history.handler())
    source.notes.append("x")
    #expect(song.notes == ["x"] && source.notes == ["x"])
    #expect(await history.next() == ["setting to [x]"])
    withExtendedLifetime(token) {}
  }
}
