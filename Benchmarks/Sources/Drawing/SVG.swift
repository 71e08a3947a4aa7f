import Foundation

/// A drawing, written element by element, on a transparent ground.
package struct SVG {
  package enum Anchor: String {
    case start, middle, end
  }

  package enum Face: String {
    case sans = "sans-serif"
    case code = "ui-monospace, Menlo, DejaVu Sans Mono, monospace"
  }

  /// A gray that can be read on white as well as on black, for a drawing that has one file for both.
  package static var ink: String { "#7d8590" }

  package let width: Double
  package let height: Double
  private var elements: [String] = []

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  package mutating func line(
    _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), color: String = ink,
    width: Double = 1, opacity: Double = 1
  ) {
    elements.append(
      "<line x1=\"\(from.x.coordinate)\" y1=\"\(from.y.coordinate)\" x2=\"\(to.x.coordinate)\" "
        + "y2=\"\(to.y.coordinate)\" stroke=\"\(color)\" stroke-width=\"\(width.coordinate)\" "
        + "stroke-opacity=\"\(opacity.coordinate)\"/>")
  }

  package mutating func polyline(
    _ points: [(x: Double, y: Double)], color: String, width: Double = 2, isDashed: Bool = false
  ) {
    let list = points.map { "\($0.x.coordinate),\($0.y.coordinate)" }.joined(separator: " ")
    elements.append(
      "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(color)\" "
        + "stroke-width=\"\(width.coordinate)\"\(isDashed ? " stroke-dasharray=\"5 4\"" : "")/>")
  }

  package mutating func polygon(_ points: [(x: Double, y: Double)], color: String) {
    let list = points.map { "\($0.x.coordinate),\($0.y.coordinate)" }.joined(separator: " ")
    elements.append("<polygon points=\"\(list)\" fill=\"\(color)\"/>")
  }

  package mutating func dot(_ center: (x: Double, y: Double), color: String, radius: Double = 3.5) {
    elements.append(
      "<circle cx=\"\(center.x.coordinate)\" cy=\"\(center.y.coordinate)\" "
        + "r=\"\(radius.coordinate)\" fill=\"\(color)\"/>")
  }

  package mutating func bar(x: Double, y: Double, width: Double, height: Double, color: String) {
    elements.append(
      "<rect x=\"\(x.coordinate)\" y=\"\(y.coordinate)\" width=\"\(width.coordinate)\" "
        + "height=\"\(height.coordinate)\" fill=\"\(color)\"/>")
  }

  /// A rectangle with round corners and an outline.
  package mutating func frame(
    x: Double, y: Double, width: Double, height: Double, fill: String, stroke: String,
    isDashed: Bool = false
  ) {
    elements.append(
      "<rect x=\"\(x.coordinate)\" y=\"\(y.coordinate)\" width=\"\(width.coordinate)\" "
        + "height=\"\(height.coordinate)\" rx=\"6\" fill=\"\(fill)\" stroke=\"\(stroke)\" "
        + "stroke-width=\"1.5\"\(isDashed ? " stroke-dasharray=\"5 4\"" : "")/>")
  }

  package mutating func text(
    _ text: String, _ place: (x: Double, y: Double), anchor: Anchor = .start, size: Double = 12,
    color: String = ink, face: Face = .sans, isBold: Bool = false
  ) {
    let font = face == .sans ? "" : " font-family=\"\(face.rawValue)\""
    elements.append(
      "<text x=\"\(place.x.coordinate)\" y=\"\(place.y.coordinate)\" "
        + "text-anchor=\"\(anchor.rawValue)\" font-size=\"\(size.coordinate)\"\(font)"
        + "\(isBold ? " font-weight=\"bold\"" : "") fill=\"\(color)\">\(text.escaped)</text>")
  }

  package var document: String {
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
    let text = String(format: "%.1f", self)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
