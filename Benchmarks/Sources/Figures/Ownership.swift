/// Which object keeps which, from an owner of a token to the handler.
struct Ownership: Figure {
  let name = "ownership"
  let size = (width: 720.0, height: 300.0)

  func draw(in canvas: inout Canvas) {
    let owner = Box(x: 10, y: 24, width: 150)
    let object = Box(x: 290, y: 24, width: 150)
    let registrar = Box(x: 560, y: 24, width: 150)
    let token = Box(x: 10, y: 154, width: 150)
    let handler = Box(x: 560, y: 154, width: 150)
    canvas.box("screen", "an owner of the token", in: owner)
    canvas.box("article", "the observed object", in: object)
    canvas.box("registrar", "one of each object", in: registrar)
    canvas.box("observation", "the token", in: token, color: canvas.palette.blue)
    canvas.box("{ … }", "the handler", in: handler)

    canvas.arrow((owner.right, owner.middle), (object.x, object.middle))
    canvas.arrow((object.right, object.middle), (registrar.x, registrar.middle))
    canvas.arrow((registrar.center, registrar.bottom), (handler.center, handler.y))
    canvas.caption("while the observation lasts", (registrar.center - 8, 118), anchor: .end)
    canvas.arrow((owner.center, owner.bottom), (token.center, token.y))
    canvas.arrow(
      (token.right, token.middle), (object.center, token.middle), (object.center, object.bottom),
      color: canvas.palette.blue, isDashed: true)
    canvas.caption(
      "ends the observation when it is released", (object.center + 12, token.middle + 4 - 36),
      color: canvas.palette.blue)
    let below = handler.bottom + 28
    canvas.arrow(
      (handler.center, handler.bottom), (handler.center, below), (210, below),
      (210, owner.middle + 40), (owner.right - 12, owner.bottom), color: canvas.palette.red,
      isDashed: true)
    canvas.code(
      "[weak self]", (handler.center - 12, below - 8), anchor: .end, color: canvas.palette.red)
    canvas.caption(
      "captured strongly, it would be a cycle", (222, below - 8),
      color: canvas.palette.red)

    let y = size.height - 18
    canvas.arrow((10, y), (50, y))
    canvas.caption("retains", (60, y + 4))
    canvas.arrow((130, y), (170, y), isDashed: true)
    canvas.caption("does not retain", (180, y + 4))
  }
}
