/// The layers of the engine, and the phases of a change.
struct Layers: Figure {
  let name = "layers"
  let size = (width: 720.0, height: 450.0)

  private static let layers = [
    ("Observing, Collections, Streams, …", "the interface"),
    ("KeyPaths, Coding", "how a key path finds its parts"),
    ("Dependencies", "why: computed keys and key paths"),
    ("Notifying", "when: the life of a change"),
    ("Registrar", "which observers, in which order"),
    ("Properties", "the properties of a class"),
    ("Changes, Values, Runtime, …", "what everything else uses"),
  ]

  private static let phases = [
    ("begin", "fixes the observers, under the lock", false),
    ("prior", "observers of prior notifications", true),
    ("capture", "dependents read their old values", false),
    ("make", "the value is stored", false),
    ("settle", "dependents are evaluated again", false),
    ("deliver", "observers, then dependents", true),
    ("end", "releases what has ended", false),
  ]

  func draw(in canvas: inout Canvas) {
    let palette = canvas.palette
    canvas.heading("Layers", (20, 24))
    canvas.heading("Phases of a change", (420, 24))
    var above: (layer: Box, phase: Box)?
    for (index, (layer, phase)) in zip(Self.layers, Self.phases).enumerated() {
      let y = 40 + Double(index) * 56
      let boxes = (
        layer: Box(x: 20, y: y, width: 290, height: 40),
        phase: Box(x: 420, y: y, width: 280, height: 40)
      )
      canvas.box(
        layer.0, layer.1, in: boxes.layer, color: layer.0 == "Notifying" ? palette.blue : nil)
      canvas.box(phase.0, phase.1, in: boxes.phase, color: phase.2 ? palette.green : palette.blue)
      if let above {
        canvas.arrow((above.layer.center, above.layer.bottom), (boxes.layer.center, boxes.layer.y))
        canvas.arrow((above.phase.center, above.phase.bottom), (boxes.phase.center, boxes.phase.y))
      }
      above = boxes
    }
    let first = 40.0
    let notifying = Box(x: 20, y: first + 3 * 56, width: 290, height: 40)
    canvas.arrow(
      (notifying.right, notifying.middle), (365, notifying.middle), (365, first + 20),
      (420, first + 20), color: palette.blue, isDashed: true)
    canvas.caption("A layer uses those below it.", (20, size.height - 12))
    canvas.caption(
      "Green: observers are called. No lock is held then.", (420, size.height - 12),
      color: palette.green)
  }
}
