/// A drawing, written element by element.
///
/// Its ground is transparent and its colors can be told apart on white as well as on black, because
/// a page that shows it may be either and cannot tell an image which.
struct SVG {
  enum Anchor: String {
    case start, middle, end
  }

  /// The color of what is not data.
  static var ink: String { "#7d8590" }

  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  mutating func line(
    _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), color: String = ink,
    width: Double = 1, opacity: Double = 1
  ) {
    elements.append(
      "<line x1=\"\(from.x.coordinate)\" y1=\"\(from.y.coordinate)\" x2=\"\(to.x.coordinate)\" "
        + "y2=\"\(to.y.coordinate)\" stroke=\"\(color)\" stroke-width=\"\(width.coordinate)\" "
        + "stroke-opacity=\"\(opacity.coordinate)\"/>")
  }

  mutating func polyline(_ points: [(x: Double, y: Double)], color: String) {
    let list = points.map { "\($0.x.coordinate),\($0.y.coordinate)" }.joined(separator: " ")
    elements.append(
      "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
  }

  mutating func dot(_ center: (x: Double, y: Double), color: String) {
    elements.append(
      "<circle cx=\"\(center.x.coordinate)\" cy=\"\(center.y.coordinate)\" r=\"3.5\" "
        + "fill=\"\(color)\"/>")
  }

  mutating func bar(x: Double, y: Double, width: Double, height: Double, color: String) {
    elements.append(
      "<rect x=\"\(x.coordinate)\" y=\"\(y.coordinate)\" width=\"\(width.coordinate)\" "
        + "height=\"\(height.coordinate)\" fill=\"\(color)\"/>")
  }

  mutating func text(
    _ text: String, _ place: (x: Double, y: Double), anchor: Anchor = .start, size: Double = 12,
    color: String = ink
  ) {
    elements.append(
      "<text x=\"\(place.x.coordinate)\" y=\"\(place.y.coordinate)\" "
        + "text-anchor=\"\(anchor.rawValue)\" font-size=\"\(size.coordinate)\" "
        + "fill=\"\(color)\">\(text.escaped)</text>")
  }

  var document: String {
    let size = "width=\"\(width.coordinate)\" height=\"\(height.coordinate)\""
    let box = "viewBox=\"0 0 \(width.coordinate) \(height.coordinate)\""
    let head =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) \(box) font-family=\"sans-serif\">"
    return ([head] + elements + ["</svg>"]).joined(separator: "\n") + "\n"
  }
}

extension Double {
  /// The number as a coordinate, short and the same on every machine.
  fileprivate var coordinate: String {
    let text = fixed(1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
