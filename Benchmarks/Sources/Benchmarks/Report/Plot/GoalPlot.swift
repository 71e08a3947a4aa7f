import Drawing

/// How near each row comes to its goal.
struct GoalPlot {
  let outcomes: [Outcome]

  private var left: Double { 420 }
  private var right: Double { 740 }
  private var top: Double { 56 }
  private var step: Double { 31 }

  /// Rows that have a goal, each with its figure in times of what it may be.
  private var rows: [(name: String, baseline: String, share: Double, isReached: Bool)] {
    outcomes.compactMap { outcome in
      guard case .ratio(let limit) = outcome.benchmark.goal, let ratio = outcome.ratio else {
        return nil
      }
      let benchmark = outcome.benchmark
      return (
        benchmark.subject.name, benchmark.baseline?.name ?? "", ratio / limit, ratio <= limit
      )
    }
  }

  var svg: String {
    let rows = rows
    let bottom = top + Double(rows.count) * step
    let scale = LogScale(enclosing: rows.map(\.share) + [1], from: left, to: right)
    var drawing = SVG(width: 760, height: bottom + 20)
    drawing.text("Ratio of each row, in times of its goal: left of 1 is better", (12, 22), size: 15)
    let one = scale.coordinate(of: 1)
    for decade in scale.decades {
      let x = scale.coordinate(of: decade)
      drawing.line((x, top - 4), (x, bottom), opacity: 0.3)
      drawing.text(decade.formatted(), (x, top - 10), anchor: .middle)
    }
    for (index, row) in rows.enumerated() {
      let y = top + Double(index) * step
      let x = scale.coordinate(of: row.share)
      drawing.text(row.name, (left - 10, y + 12), anchor: .end)
      drawing.text("to " + row.baseline, (left - 10, y + 24), anchor: .end, size: 10)
      drawing.bar(
        x: min(x, one), y: y + 7, width: abs(x - one), height: step - 15,
        color: row.isReached ? "#2f9e44" : "#e8590c")
    }
    drawing.line((one, top - 4), (one, bottom), width: 1.5)
    return drawing.document
  }
}
