/// The result of evaluating a derived value.
struct EvaluationResult {
  let value: AnyValueBox?
  /// The links after the evaluation; nil if they are unchanged.
  private(set) var links: [Link]?
  /// The links to detach.
  private(set) var dropped: [Link]
  /// The object with the last key of a path, if every change of the path's course is notified.
  var leafOwner: AnyObject?
  /// For each link, whether it is intermediate (`Link.isIntermediate`); nil if that is known.
  var areIntermediate: [Bool]?

  /// Also drops links that were not passed to the evaluation.
  mutating func drop(_ surplus: [Link], keeping known: [Link]) {
    links = links ?? known
    dropped += surplus
  }
}
