import Drawing

/// Nanoseconds on a logarithmic scale, by the number of something.
struct LinePlot {
  let title: String
  let axis: Axis
  let series: [Series]

  private var left: Double { 64 }
  private var right: Double { 470 }
  private var top: Double { 44 }
  private var bottom: Double { 340 }

  var svg: String {
    let series = series.filter { !$0.points.isEmpty }
    let scale = LogScale(
      enclosing: series.flatMap { $0.points.map(\.nanoseconds) }, from: bottom, to: top)
    var drawing = SVG(width: 760, height: 400)
    drawing.text(title, (left, 22), size: 15)
    drawAxes(scale, in: &drawing)
    for (index, one) in series.enumerated() {
      draw(one, at: index, scale, in: &drawing)
    }
    return drawing.document
  }

  private func drawAxes(_ scale: LogScale, in drawing: inout SVG) {
    for decade in scale.decades {
      let y = scale.coordinate(of: decade)
      drawing.line((left, y), (right, y), opacity: 0.3)
      drawing.text(decade.duration, (left - 8, y + 4), anchor: .end)
    }
    for tick in axis.ticks {
      drawing.text(tick.label, (coordinate(of: tick.value), bottom + 20), anchor: .middle)
    }
    drawing.text(axis.title, ((left + right) / 2, bottom + 44), anchor: .middle)
  }

  private func draw(
    _ series: Series, at index: Int, _ scale: LogScale, in drawing: inout SVG
  ) {
    let color = Series.colors[index % Series.colors.count]
    let points = series.points.map { point in
      (x: coordinate(of: point.x), y: scale.coordinate(of: point.nanoseconds))
    }
    if points.count > 1 { drawing.polyline(points, color: color) }
    for point in points { drawing.dot(point, color: color) }
    let y = top + 10 + Double(index) * 22
    drawing.dot((right + 24, y - 4), color: color)
    drawing.text(series.name, (right + 36, y), color: color)
  }

  private func coordinate(of x: Double) -> Double {
    left + (right - left) * axis.share(of: x)
  }
}

extension Double {
  /// A power of ten nanoseconds in a unit that keeps it short.
  fileprivate var duration: String {
    switch self {
    case 1e6...: "\((self / 1e6).fixed(0)) ms"
    case 1e3...: "\((self / 1e3).fixed(0)) µs"
    case 1...: "\(fixed(0)) ns"
    default: "\(fixed(1)) ns"
    }
  }
}
