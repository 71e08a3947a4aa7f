/// How often and how long a subject is measured.
enum Batch {
  /// Long enough for the clock, short enough to fall between two interruptions.
  static var target: Duration { .milliseconds(1) }
  /// How many times as long a batch takes as what its loop does before the first pass, at least.
  static var setUpShare: Int { 50 }
  // So many because a processor runs the same few instructions now faster and now slower, for
  // milliseconds on end: the minimum is to find the faster state of both, baseline and subject.
  static var count: Int { 81 }
  /// Batches of subjects that take long may be fewer, but not fewer than these.
  static var leastCount: Int { 7 }
  /// After so long a subject counts as one that takes long.
  static var patience: Duration { .seconds(2) }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
  }
}
