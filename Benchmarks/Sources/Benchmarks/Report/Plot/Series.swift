/// A line of a plot: what one library costs at several places.
struct Series {
  let name: String
  let points: [(x: Double, nanoseconds: Double)]
}

extension Series {
  /// A line through those of some subjects that were measured.
  init(_ name: String, in figures: Figures, _ subjects: [(x: Double, Subject)]) {
    self.name = name
    points = subjects.compactMap { x, subject in figures.minimum(of: subject).map { (x, $0) } }
  }

  /// Colors that differ on white and on black, that of this library first.
  static var colors: [String] {
    ["#0a84ff", "#f08c00", "#2f9e44", "#e64980", "#9c5de0", "#12a5a5", "#c0841a", "#7d8590"]
  }
}
