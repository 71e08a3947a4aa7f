import Drawing

/// Draws the parts of figures: boxes, arrows and captions.
struct Canvas {
  typealias Point = (x: Double, y: Double)

  var drawing: SVG
  let palette: Palette

  init(size: (width: Double, height: Double), palette: Palette) {
    drawing = SVG(width: size.width, height: size.height)
    self.palette = palette
  }

  mutating func heading(_ text: String, _ place: Point, color: String? = nil) {
    drawing.text(text, place, size: 14, color: color ?? palette.ink, isBold: true)
  }

  mutating func caption(
    _ text: String, _ place: Point, anchor: SVG.Anchor = .start, color: String? = nil
  ) {
    drawing.text(text, place, anchor: anchor, size: 12, color: color ?? palette.secondary)
  }

  mutating func code(
    _ text: String, _ place: Point, anchor: SVG.Anchor = .start, color: String? = nil
  ) {
    drawing.text(
      text, place, anchor: anchor, size: 12, color: color ?? palette.ink, face: .code)
  }

  /// A box with a line of code and a line that says what it is.
  mutating func box(
    _ code: String, _ note: String = "", in box: Box, color: String? = nil, isFaded: Bool = false
  ) {
    drawing.frame(
      x: box.x, y: box.y, width: box.width, height: box.height, fill: palette.fill,
      stroke: color ?? palette.outline, isDashed: isFaded)
    let ink = isFaded ? palette.secondary : palette.ink
    let middle = box.y + box.height / 2
    self.code(
      code, (box.center, note.isEmpty ? middle + 4 : middle - 3), anchor: .middle, color: ink)
    if !note.isEmpty { caption(note, (box.center, middle + 14), anchor: .middle) }
  }

  /// An arrow along points, which are joined by straight lines.
  mutating func arrow(_ points: Point..., color: String? = nil, isDashed: Bool = false) {
    let color = color ?? palette.ink
    let (tip, from) = (points[points.count - 1], points[points.count - 2])
    let length = ((tip.x - from.x) * (tip.x - from.x) + (tip.y - from.y) * (tip.y - from.y))
      .squareRoot()
    let (x, y) = ((tip.x - from.x) / length, (tip.y - from.y) / length)
    let base = (x: tip.x - x * 8, y: tip.y - y * 8)
    drawing.polyline(points.dropLast() + [base], color: color, width: 1.5, isDashed: isDashed)
    drawing.polygon(
      [tip, (base.x - y * 4, base.y + x * 4), (base.x + y * 4, base.y - x * 4)], color: color)
  }
}

/// The place of a box.
struct Box {
  let x: Double
  let y: Double
  let width: Double
  var height: Double = 48

  var center: Double { x + width / 2 }
  var middle: Double { y + height / 2 }
  var right: Double { x + width }
  var bottom: Double { y + height }
}
