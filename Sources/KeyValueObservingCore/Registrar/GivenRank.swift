/// The rank that a binding has given to a key in a transaction, until a set after a step (P65).
struct GivenRank {
  /// The number of the transaction.
  let transaction: UInt64
  /// The rank of the whole value.
  var rank: Int
  var step: Int
  /// The rank of all parts of the value that are not in `parts`.
  var rankOfOthers: Int
  /// The step at which the value was set or written last, which may be before that at which it got its rank.
  var stepOfChange: Int
  /// The ranks of parts of the value that bindings have written, by the key paths of these, with a period at the end;
  /// nil if they have written none.
  ///
  /// A binding that writes one field of a structure does not set the others.
  var parts: [String: Int]?

  func rank(of part: String?) -> Int {
    guard let part else { return rank }
    return (parts ?? [:]).reduce(rankOfOthers) { rank, other in
      mayOverlap(part, other.key) ? max(rank, other.value) : rank
    }
  }

  /// Whether one part contains the other, which is not known where the key paths begin at different classes.
  private func mayOverlap(_ part: String, _ other: String) -> Bool {
    part.hasPrefix(other) || other.hasPrefix(part)
      || part.prefix { $0 != "." } != other.prefix { $0 != "." }
  }
}
