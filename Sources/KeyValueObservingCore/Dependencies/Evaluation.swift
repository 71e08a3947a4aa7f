/// What evaluating an expression has come to.
struct Evaluation {
  let value: AnyValueBox?
  /// What it is attached to now; nil if that is what it was.
  private(set) var links: [Link]?
  /// What it was attached to and is no longer to be.
  private(set) var dropped: [Link]
  /// The object with the last key of a path, if nothing can lead the path elsewhere without telling.
  var leafOwner: AnyObject?
  var reading = Reading()

  /// Gives up links that it was not told of, beside those that it was.
  mutating func drop(_ surplus: [Link], keeping known: [Link]) {
    links = links ?? known
    dropped += surplus
  }
}

/// What the keys that were read have shown.
struct Reading {
  /// For each link, whether its key comes before the last one of a path; nil if that is known.
  var areBeforeLast: [Bool]?
  /// Whether keys turned out to play other parts than was thought, so that the links are not the
  /// right ones.
  var mustRepeat = false
}
