/// A key path before and after an object on it is replaced.
struct PathReplacement: Figure {
  let name = "path-replacement"
  let size = (width: 720.0, height: 330.0)

  func draw(in canvas: inout Canvas) {
    canvas.code("article.observe(\\.author?.name, options: [.old, .new]) { … }", (10, 22))
    row(at: 52, "Before", first: "ada", second: nil, in: &canvas)
    row(at: 196, "After  article.author = grace", first: "grace", second: "ada", in: &canvas)
  }

  private func row(
    at top: Double, _ heading: String, first: String, second: String?, in canvas: inout Canvas
  ) {
    let palette = canvas.palette
    canvas.heading(heading, (10, top))
    let article = Box(x: 10, y: top + 14, width: 110)
    let person = Box(x: 210, y: top + 14, width: 110)
    canvas.box("article", "author", in: article, color: palette.blue)
    canvas.box(first, "name", in: person, color: palette.blue)
    canvas.arrow((article.right, article.middle), (person.x, person.middle))
    change("article.author = …", "pathChanged, old and new name", at: person.y + 14, in: &canvas)
    change("\(first).name = …", "valueChanged, old and new name", at: person.y + 46, in: &canvas)
    guard let second else { return }
    let former = Box(x: 210, y: top + 82, width: 110)
    canvas.box(second, "name", in: former, isFaded: true)
    canvas.code("\(second).name = …", (350, former.middle + 4), color: palette.secondary)
    canvas.caption("no notification", (490, former.middle + 4))
  }

  private func change(_ code: String, _ reason: String, at y: Double, in canvas: inout Canvas) {
    canvas.code(code, (350, y))
    canvas.caption(reason, (490, y), color: canvas.palette.blue)
  }
}
