/// `kvo tour`: shows the code of each scene and runs it.
struct Tour {
  static let scenes: [Scene] = [
    .swappedToken, .severalProperties, .reasons, .weakLink, .wrongMoments, .contentSize,
    .transaction, .undo, .binding,
  ]

  let output: Output

  func run() {
    output.print("The scenes observe objects of these classes:\n")
    show(TourModel.code)
    for (place, scene) in Self.scenes.enumerated() {
      output.print("")
      output.print(output.colored("\(place + 1). \(scene.title)", .bold))
      output.print("   \(scene.claim)\n")
      show(scene.code)
      output.print("")
      scene.run { [output] in output.print("   \(output.colored("▸ \($0)", .green))") }
    }
  }

  private func show(_ code: String) {
    for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
      output.print(line.isEmpty ? "" : output.colored("     \(line)", .cyan))
    }
  }
}
