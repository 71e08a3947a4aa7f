/// The objects of the tutorial's program, and the lines that it prints.
struct DownloadSummary: Figure {
  let name = "download-summary"
  let module = "KeyValueObserving"
  let size = (width: 720.0, height: 230.0)

  func draw(in canvas: inout Canvas) {
    let list = Box(x: 10, y: 30, width: 150)
    let map = Box(x: 10, y: 136, width: 150)
    let terminal = Box(x: 330, y: 30, width: 380, height: 154)
    canvas.box("list", "summary", in: list, color: canvas.palette.blue)
    canvas.box("map", "received, progress", in: map, color: canvas.palette.blue)
    canvas.arrow((map.center, map.y), (map.center, list.bottom))
    canvas.caption("is read by the summary", (map.center + 12, 112))
    canvas.arrow((list.right, list.middle), (terminal.x, list.middle), color: canvas.palette.blue)
    canvas.code("onChange(of:)", ((list.right + terminal.x) / 2, list.middle - 8), anchor: .middle)
    canvas.box("", in: terminal)
    for (index, line) in [
      "$ swift run", "map 0 %, song 0 %", "map 50 %, song 0 %", "map 100 %, song 0 %",
      "map 100 %, song 100 %",
    ].enumerated() {
      let color = index == 0 ? canvas.palette.secondary : canvas.palette.ink
      canvas.code(line, (terminal.x + 18, terminal.y + 32 + Double(index) * 24), color: color)
    }
  }
}
