import Foundation

/// The labeled positions on a horizontal axis.
struct Axis {
  struct Tick {
    let value: Double
    let label: String
    /// The position, from 0 at the left to 1 at the right.
    let share: Double
  }

  let title: String
  let ticks: [Tick]

  /// An axis with one place for each value, at equal distances.
  static func even(_ title: String, _ values: [(Double, label: String)]) -> Axis {
    Axis(
      title: title,
      ticks: values.enumerated().map { index, value in
        Tick(
          value: value.0, label: value.label, share: (Double(index) + 0.5) / Double(values.count))
      })
  }

  /// An axis on which equal ratios have equal lengths, as long as the values go up.
  static func logarithmic(_ title: String, _ values: [(Double, label: String)]) -> Axis {
    let scale = LogScale(enclosing: values.map(\.0), from: 0.08, to: 0.92)
    return Axis(
      title: title,
      ticks: values.map {
        Tick(value: $0.0, label: $0.label, share: scale.coordinate(of: $0.0))
      })
  }

  func share(of value: Double) -> Double {
    ticks.first { $0.value == value }?.share ?? 0
  }
}
