/// The result of evaluating a derived value.
struct EvaluationResult {
  let value: AnyValueBox?
  /// The links after the evaluation; nil if they are unchanged.
  private(set) var links: [Link]?
  /// The links to detach.
  private(set) var dropped: [Link] = []
  /// The object with the last key of a path, if every change of the path's course is notified.
  let leafOwner: AnyObject?

  /// Makes the first of some links those after the evaluation, and drops the others.
  init(
    _ value: consuming AnyValueBox?, met links: consuming [Link], count: Int, isChanged: Bool,
    leafOwner: consuming AnyObject? = nil
  ) {
    self.value = value
    self.leafOwner = leafOwner
    if count < links.count {
      dropped = Array(links[count...])
      self.links = Array(links[..<count])
    } else if isChanged {
      self.links = links
    }
  }

  /// Also drops links that were not passed to the evaluation.
  mutating func drop(_ surplus: [Link], keeping known: [Link]) {
    links = links ?? known
    dropped += surplus
  }
}
