import Drawing

/// A figure of the documentation.
protocol Figure {
  /// The name of its file, without the suffix of its palette.
  var name: String { get }
  /// The module with the catalog that it is in.
  var module: String { get }
  var size: (width: Double, height: Double) { get }
  func draw(in canvas: inout Canvas)
}

extension Figure {
  var module: String { "KeyValueObservingCore" }

  func svg(in palette: Palette) -> String {
    var canvas = Canvas(size: size, palette: palette)
    draw(in: &canvas)
    return canvas.drawing.document
  }
}
