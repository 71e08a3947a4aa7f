/// The steps of one assignment, in order.
struct Assignment: Figure {
  let name = "assignment"
  let size = (width: 720.0, height: 340.0)

  private struct Step {
    let title: String
    let note: String
    var isNotification = false
  }

  private let steps = [
    Step(
      title: "prior notifications", note: "observers with the option prior; the old value",
      isNotification: true),
    Step(title: "willSet", note: "of the property, if it has one"),
    Step(title: "the value is stored", note: "all of the model is new from here on"),
    Step(title: "didSet", note: "what it stores is the value that observers receive"),
    Step(
      title: "observers of title", note: "in the order in which they were registered",
      isNotification: true),
    Step(
      title: "observers of dependents", note: "computed properties and key paths that read title",
      isNotification: true),
  ]

  func draw(in canvas: inout Canvas) {
    let palette = canvas.palette
    let (left, top, step) = (150.0, 52.0, 40.0)
    let bottom = top + Double(steps.count) * step
    canvas.code("article.title = \"Notes\"", (left - 130, 26))
    canvas.arrow((left, 34), (left, bottom + 16))
    for (index, one) in steps.enumerated() {
      let y = top + Double(index) * step + 12
      let color = one.isNotification ? palette.blue : palette.outline
      canvas.drawing.dot((left, y), color: color, radius: 5)
      canvas.drawing.text(
        one.title, (left + 20, y + 5), size: 14,
        color: one.isNotification ? palette.blue : palette.ink, isBold: one.isNotification)
      canvas.caption(one.note, (left + 210, y + 4))
    }
    canvas.caption("before", (left - 20, top + 16), anchor: .end)
    canvas.caption("after", (left - 20, top + 4 * step + 16), anchor: .end)
    canvas.code("print(article.title)", (left - 130, bottom + 36))
    canvas.caption("The assignment has returned.", (left + 20, bottom + 36))
  }
}
