/// The cover of the tutorial: three downloads and their progress.
struct Downloads: Figure {
  let name = "downloads"
  let module = "KeyValueObserving"
  let size = (width: 360.0, height: 250.0)

  private let downloads = [("map", 100.0), ("song", 100.0), ("film", 60.0)]

  // The page that shows covers is dark, whatever the reader chose, and shows the file for light pages.
  func draw(in canvas: inout Canvas) {
    let palette = Palette.dark
    for (index, (name, progress)) in downloads.enumerated() {
      let y = 30 + Double(index) * 74
      canvas.drawing.text(name, (10, y + 14), size: 24, color: palette.ink, face: .code)
      canvas.drawing.text(
        "\(Int(progress)) %", (350, y + 14), anchor: .end, size: 24, color: palette.ink, face: .code
      )
      canvas.drawing.frame(
        x: 10, y: y + 26, width: 340, height: 16, fill: palette.fill, stroke: palette.outline)
      canvas.drawing.frame(
        x: 10, y: y + 26, width: 3.4 * progress, height: 16,
        fill: progress < 100 ? palette.blue : palette.green, stroke: palette.outline)
    }
  }
}
