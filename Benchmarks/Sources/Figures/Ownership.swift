/// The references between the owner of a token, the token, the handler and the observed object.
struct Ownership: Figure {
  let name = "ownership"
  let size = (width: 720.0, height: 300.0)

  func draw(in canvas: inout Canvas) {
    let palette = canvas.palette
    let owner = Box(x: 60, y: 24, width: 140)
    let token = Box(x: 60, y: 154, width: 140)
    let object = Box(x: 320, y: 24, width: 140)
    let handler = Box(x: 320, y: 154, width: 140)
    let registrar = Box(x: 570, y: 24, width: 140)
    canvas.box("screen", "the owner of the token", in: owner)
    canvas.box("observation", "the token", in: token, color: palette.blue)
    canvas.box("article", "the observed object", in: object)
    canvas.box("{ … }", "the handler", in: handler)
    canvas.box("registrar", "one of each object", in: registrar)

    canvas.arrow((owner.right, owner.middle), (object.x, object.middle))
    canvas.arrow((owner.center, owner.bottom), (token.center, token.y))
    canvas.arrow((object.right, object.middle), (registrar.x, registrar.middle))
    canvas.arrow((token.right, token.middle), (handler.x, handler.middle))
    canvas.caption("until it ends", (260, token.middle + 18), anchor: .middle)
    canvas.arrow(
      (token.right, token.y + 6), (object.x, object.bottom - 6), color: palette.blue,
      isDashed: true)
    canvas.arrow(
      (registrar.center, registrar.bottom), (registrar.center, handler.middle),
      (handler.right, handler.middle), isDashed: true)
    canvas.caption(
      "calls it at each change", (handler.right + 20, handler.middle + 18))
    canvas.arrow(
      (handler.center, handler.bottom), (handler.center, 236), (30, 236), (30, owner.middle),
      (owner.x, owner.middle), color: palette.red, isDashed: true)
    canvas.code("[weak self]", (handler.center + 12, 226), color: palette.red)
    canvas.caption(
      "captured strongly, screen, token and handler would keep each other", (40, 254),
      color: palette.red)

    let legend = size.height - 16
    canvas.arrow((10, legend), (50, legend))
    canvas.caption("retains", (60, legend + 4))
    canvas.arrow((130, legend), (170, legend), isDashed: true)
    canvas.caption("does not retain", (180, legend + 4))
  }
}
