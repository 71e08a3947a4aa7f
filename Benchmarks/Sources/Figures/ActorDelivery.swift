/// When a handler of the main actor is called, by where the change is made.
struct ActorDelivery: Figure {
  let name = "actor-delivery"
  let size = (width: 720.0, height: 300.0)

  func draw(in canvas: inout Canvas) {
    canvas.heading("A change on the actor", (10, 20))
    lane("main actor", at: 110, in: &canvas)
    canvas.code("title = \"A\"", (124, 88))
    canvas.box("handler", "A", in: Box(x: 60, y: 104, width: 100), color: canvas.palette.blue)
    canvas.caption("the assignment returns", (124, 178))
    canvas.drawing.dot((110, 84), color: canvas.palette.ink)
    canvas.drawing.dot((110, 174), color: canvas.palette.ink)
    canvas.caption("The handler is called before", (10, 274))
    canvas.caption("the assignment returns.", (10, 292))

    canvas.heading("Changes elsewhere", (350, 20))
    lane("another thread", at: 420, in: &canvas)
    lane("main actor", at: 620, in: &canvas)
    for (index, value) in ["B", "C"].enumerated() {
      let y = 84 + Double(index) * 40
      canvas.drawing.dot((420, y), color: canvas.palette.ink)
      canvas.code("title = \"\(value)\"", (406, y + 4), anchor: .end)
      let box = Box(x: 570, y: 130 + Double(index) * 60, width: 100)
      canvas.arrow((426, y), (box.x, box.middle), color: canvas.palette.blue, isDashed: true)
      canvas.box("handler", value, in: box, color: canvas.palette.blue)
    }
    canvas.caption("The assignment returns at once. The handler is called", (350, 274))
    canvas.caption("on the actor later, once for each change, in order.", (350, 292))
  }

  private func lane(_ title: String, at x: Double, in canvas: inout Canvas) {
    canvas.caption(title, (x, 50), anchor: .middle)
    canvas.arrow((x, 58), (x, 254), color: canvas.palette.outline)
  }
}
