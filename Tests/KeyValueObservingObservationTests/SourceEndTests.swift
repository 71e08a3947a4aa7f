import KeyValueObservingObservation
import Testing

@Suite("How observations of a source end")
@MainActor
struct SourceEndTests {
  let history = History()
  let song = Song()

  @Test("P31: an observation that ended before the turn receives nothing")
  func endBeforeTurn() async {
    let source = ObservableSource(song)
    let ended = source.observe(\.title, changeHandler: history.handler("ended "))
    let token = source.observe(\.rating, options: [.new], changeHandler: history.handler())
    song.title = "b"
    ended.invalidate()
    song.rating = 1
    #expect(await history.next() == ["setting to 1"])
    withExtendedLifetime(token) {}
  }

  @Test("P96: a key that is observed again has the value of that moment")
  func observedAgain() async {
    let source = ObservableSource(song)
    source.observe(\.title) { _, _ in }.invalidate()
    song.title = "b"
    let token = source.observe(\.title, options: [.old, .new], changeHandler: history.handler())
    song.title = "c"
    #expect(await history.next() == ["setting from b to c"])
    song.title = "d"
    token.invalidate()
    let again = source.observe(\.title, options: [.old, .new], changeHandler: history.handler())
    song.title = "e"
    #expect(await history.next() == ["setting from d to e"])
    withExtendedLifetime((source, again)) {}
  }

  @Test("P96: a change before a key is observed again is not delivered")
  func changeBefore() async {
    let source = ObservableSource(song)
    let ended = source.observe(\.title) { _, _ in }
    song.title = "b"
    ended.invalidate()
    let title = source.observe(\.title, changeHandler: history.handler("title "))
    let rating = source.observe(\.rating, options: .new, changeHandler: history.handler())
    song.rating = 1
    #expect(await history.next() == ["setting to 1"])
    withExtendedLifetime((source, title, rating)) {}
  }

  @Test("P96: a key that is still tracked when it is observed again is not tracked twice")
  func trackedOnce() {
    let model = CountingModel()
    let source = ObservableSource(model)
    source.observe(\.count) { _, _ in }.invalidate()
    let reads = model.reads
    for _ in 0..<10 { source.observe(\.count) { _, _ in }.invalidate() }
    #expect(model.reads == reads + 10 * (reads - 1))
    withExtendedLifetime(source) {}
  }

  /// Counts how often it is read.
  private final class CountingModel: Observable {
    private(set) var reads = 0

    var count: Int {
      reads += 1
      return 0
    }
  }

  @Test("P33: the source is released with its last owner, observed or not, and so is the model")
  func lifetime() async {
    weak var formerSource: ObservableSource<Song>?
    weak var formerSong: Song?
    do {
      let song = Song()
      let source = ObservableSource(song)
      (formerSource, formerSong) = (source, song)
      let token = source.observe(\.title, changeHandler: history.handler())
      song.title = "b"
      withExtendedLifetime(token) {}
    }
    #expect(formerSource == nil && formerSong == nil)
    let source = ObservableSource(song)
    let token = source.observe(\.title, options: [.new], changeHandler: history.handler())
    song.title = "b"
    #expect(await history.next() == ["setting to b"])
    withExtendedLifetime((source, token)) {}
  }

  @Test("P32: a handler and what it captures are released with the token")
  func handler() {
    let source = ObservableSource(song)
    var captured: Artist? = Artist("Monk")
    weak let witness = captured
    var token: KeyValueObservation? = source.observe(\.title) { [captured] _, _ in _ = captured }
    captured = nil
    #expect(witness != nil)
    extendLifetime(token)
    token = nil
    #expect(witness == nil)
  }

  @Test("P96: the source does not retain its actor")
  func actor() async {
    weak var former: Player?
    do {
      let player = Player()
      await player.play()
      #expect(await player.changes == ["setting to b"])
      former = player
    }
    #expect(former == nil)
  }

  /// Keeps the source that belongs to it.
  private actor Player {
    let history = History()
    private let song = Song()
    private var source: ObservableSource<Song>?
    private var token: KeyValueObservation?
    private(set) var changes: [String] = []

    func play() async {
      let source = ObservableSource(song)
      self.source = source
      token = source.observe(\.title, options: [.new]) { [history] _, change in
        history.write("\(change)")
      }
      song.title = "b"
      changes = await history.next()
    }
  }
}
