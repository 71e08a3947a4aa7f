/// The values derived from the unit counts of a progress and its children, at one moment.
struct ProgressValues {
  var completedUnitCount: Int64
  var totalUnitCount: Int64
  var isFinished: Bool
  var isIndeterminate: Bool
}

/// The properties that hold them.
enum ProgressKey: CaseIterable {
  case completedUnitCount, totalUnitCount, isIndeterminate, isFinished

  /// Whether the property has the same value at two moments.
  func isEqual(_ left: ProgressValues, _ right: ProgressValues) -> Bool {
    switch self {
    case .completedUnitCount: left.completedUnitCount == right.completedUnitCount
    case .totalUnitCount: left.totalUnitCount == right.totalUnitCount
    case .isFinished: left.isFinished == right.isFinished
    case .isIndeterminate: left.isIndeterminate == right.isIndeterminate
    }
  }
}
