/// The options of a run.
struct PortOptions: Equatable, Sendable {
  enum Mode: Equatable, Sendable {
    case inPlace
    case dryRun
    case check
    case copy(to: String)

    /// Whether the run writes files.
    var writes: Bool { self != .dryRun && self != .check }
  }

  enum Platforms: String, CaseIterable, Sendable { case linux, all }

  /// The word in front of key-value coding outside of functions that throw.
  enum Attempt: String, CaseIterable, Sendable { case `throw`, stop, ignore }

  var paths: [String] = []
  var mode = Mode.inPlace
  var isJSON = false
  var platforms = Platforms.all
  var observesAll = false
  var attempt = Attempt.stop
  var only: Set<PatternName> = []
  var skipped: Set<PatternName> = []
  var allowsDirty = false
  var excluded: [Glob] = []
  var isQuiet = false
  var isStrict = false

  func includes(_ pattern: PatternName) -> Bool {
    (only.isEmpty || only.contains(pattern)) && !skipped.contains(pattern)
  }
}
