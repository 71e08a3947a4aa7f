import KeyValueObservingObservation

/// A class of another module, as far as the library is concerned: Swift's own macro makes it observable.
@Observable
final class Song {
  var title = "a"
  var rating = 0
  var artist: Artist?
  var notes: [String] = []

  init(_ title: String = "a", artist: Artist? = nil) {
    self.title = title
    self.artist = artist
  }
}

@Observable
final class Artist {
  var name: String
  init(_ name: String) { self.name = name }
}

@Observable
final class Reading {
  var value = 0
}

struct Cover {
  var lines: [String] = []
}

/// A class of the library with a source in it.
@KeyValueObservable
final class NowPlaying {
  var source: ObservableSource<Song>?
  var prefix = "♪ "
  var cover = Cover()

  init(_ source: ObservableSource<Song>? = nil) { self.source = source }

  var heading: String { prefix + (source?.title ?? "-") }
  var caption: String { cover.lines.joined() + "\(source?.rating ?? 0)" }
  var summary: String { "\(source?.title ?? "-") \(source?.rating ?? 0)" }
}

/// Writes down what observers receive.
final class History {
  private(set) var lines: [String] = []

  func handler<Subject, Value>(_ name: String = "") -> (Subject, KeyValueChange<Value>) -> Void {
    { _, change in self.write("\(name)\(change)") }
  }

  /// Writes a line, without the marks around texts.
  func write(_ line: String) { lines.append(line.filter { $0 != "\"" }) }

  /// Returns the lines and begins anew.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Lets the actor take turns until there are so many lines.
  func next(_ count: Int = 1, isolation: isolated (any Actor)? = #isolation) async -> [String] {
    var turns = 0
    while lines.count < count, turns < 1_000_000 {
      turns += 1
      await Task.yield()
    }
    return take()
  }
}
