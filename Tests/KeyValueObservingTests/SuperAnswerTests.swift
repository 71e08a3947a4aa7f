import KeyValueObserving
import Testing

/// Answers for single keys only.
@KeyValueObservable
private class Track {
  var title = "So What"
  var artist = "Miles"
  var label: String { "-" }
  var line: String { "-" }

  class func keyPathsForValuesAffectingLabel() -> Set<String> { ["title"] }
}

/// Answers in both ways, and asks `super` as in Cocoa.
@KeyValueObservable
private class LiveTrack: Track {
  var place = "Newport"
  var note: String { "-" }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let inherited = super.keyPathsForValuesAffectingValue(forKey: key)
    return key == "note" ? inherited.union(["artist"]) : inherited
  }

  class func keyPathsForValuesAffectingNote() -> Set<String> { ["place"] }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key != "title" && super.automaticallyNotifiesObservers(forKey: key)
  }

  class func automaticallyNotifiesObserversOfArtist() -> Bool { false }
}

/// Adds to them, two classes further.
@KeyValueObservable
private final class Encore: LiveTrack {
  var number = 1
  var caption: String { "-" }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    super.keyPathsForValuesAffectingValue(forKey: key)
  }

  class func keyPathsForValuesAffectingCaption() -> Set<String> { ["number"] }
  class func keyPathsForValuesAffectingLine() -> Set<String> { ["place"] }
}

/// Has no `super` to ask.
@KeyValueObservable
private final class Single {
  var side = "A"
  var mark: String { "-" }

  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
  static func keyPathsForValuesAffectingMark() -> Set<String> { ["side"] }
}

extension AllTests {
  @Suite("What super answers for a key")
  struct SuperAnswerTests {
    private let recorder = Recorder()

    @Test("P21: super answers with what the class that is asked declares for a single key")
    func keyPaths() {
      #expect(Track.keyPathsForValuesAffectingValue(forKey: "label") == ["title"])
      #expect(Track.keyPathsForValuesAffectingValue(forKey: "note").isEmpty)
      #expect(LiveTrack.keyPathsForValuesAffectingValue(forKey: "label") == ["title"])
      #expect(LiveTrack.keyPathsForValuesAffectingValue(forKey: "note") == ["artist", "place"])
      #expect(Encore.keyPathsForValuesAffectingValue(forKey: "label") == ["title"])
      #expect(Encore.keyPathsForValuesAffectingValue(forKey: "note") == ["artist", "place"])
      #expect(Encore.keyPathsForValuesAffectingValue(forKey: "caption") == ["number"])
      #expect(Encore.keyPathsForValuesAffectingValue(forKey: "line") == ["place"])
    }

    @Test("P20: and with whether it notifies of that key")
    func automatic() {
      #expect(Track.automaticallyNotifiesObservers(forKey: "artist"))
      for type in [LiveTrack.self, Encore.self] {
        #expect(!type.automaticallyNotifiesObservers(forKey: "artist"))
        #expect(!type.automaticallyNotifiesObservers(forKey: "title"))
        #expect(type.automaticallyNotifiesObservers(forKey: "place"))
      }
    }

    @Test("P21: observers of the dependent key are notified, also where super is not asked")
    func notifies() throws {
      let (encore, single) = (Encore(), Single())
      var tokens = [try single.observe("mark", changeHandler: recorder.receives("mark"))]
      for key in ["label", "note", "caption", "line"] {
        tokens.append(try encore.observe(key, changeHandler: recorder.receives(key)))
      }
      single.side = "B"
      #expect(recorder.take() == ["mark →"])
      encore.number = 2
      #expect(recorder.take() == ["caption →"])
      encore.place = "Paris"
      #expect(recorder.take() == ["note →", "line →"])
      withExtendedLifetime(tokens) {}
    }
  }
}
