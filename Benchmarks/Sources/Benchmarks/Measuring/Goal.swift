/// The goal of a benchmark.
enum Goal {
  /// At most so many times its baseline.
  case ratio(Double)
  /// At most so much, in the unit of its subject.
  case amount(Double)

  var limit: Double {
    switch self {
    case .ratio(let limit), .amount(let limit): limit
    }
  }
}
