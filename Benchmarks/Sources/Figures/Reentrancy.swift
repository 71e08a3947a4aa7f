/// The changes that two observers receive if the first one sets the property again.
struct Reentrancy: Figure {
  let name = "reentrancy"
  let size = (width: 720.0, height: 270.0)

  private struct Call {
    let observer: String
    let change: String
    var isNested = false
    var isLate = false
  }

  func draw(in canvas: inout Canvas) {
    canvas.code("counter.count = 1", (10, 22))
    canvas.caption(
      "Observer A sets 2 when it receives 1. Observer B was registered after A.", (160, 22))
    column(
      at: 10, "This library",
      [
        Call(observer: "A", change: "0 → 1"), Call(observer: "B", change: "0 → 1"),
        Call(observer: "A", change: "1 → 2"), Call(observer: "B", change: "1 → 2"),
      ], "Both receive the same changes in the same order.", in: &canvas)
    column(
      at: 380, "Cocoa",
      [
        Call(observer: "A", change: "0 → 1"),
        Call(observer: "A", change: "1 → 2", isNested: true),
        Call(observer: "B", change: "1 → 2", isNested: true),
        Call(observer: "B", change: "0 → …", isLate: true),
      ], "B receives the second change first.", in: &canvas)
  }

  private func column(
    at left: Double, _ heading: String, _ calls: [Call], _ result: String, in canvas: inout Canvas
  ) {
    let palette = canvas.palette
    canvas.heading(heading, (left, 58))
    canvas.arrow((left + 8, 70), (left + 8, 232))
    for (index, call) in calls.enumerated() {
      let y = 78 + Double(index) * 37
      let box = Box(x: left + (call.isNested ? 70 : 26), y: y, width: 150, height: 28)
      canvas.box(
        "\(call.observer): \(call.change)", in: box,
        color: call.isLate ? palette.red : call.observer == "A" ? palette.blue : palette.green)
    }
    let isOutOfOrder = calls.contains(where: \.isLate)
    canvas.caption(
      result, (left, 256), color: isOutOfOrder ? palette.red : palette.secondary)
    if isOutOfOrder { canvas.caption("inside the call of A", (left + 230, 134)) }
  }
}
