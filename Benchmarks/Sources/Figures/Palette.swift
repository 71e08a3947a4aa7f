/// The colors of a figure, on a light page or on a dark one.
struct Palette {
  /// The end of the file's name, `~dark` for the one that DocC shows on dark pages.
  let suffix: String
  let ink: String
  let secondary: String
  let outline: String
  let fill: String
  let blue: String
  let green: String
  let red: String

  static let light = Palette(
    suffix: "", ink: "#1f2328", secondary: "#59636e", outline: "#818b98", fill: "#f6f8fa",
    blue: "#0969da", green: "#1a7f37", red: "#cf222e")
  static let dark = Palette(
    suffix: "~dark", ink: "#f0f6fc", secondary: "#9198a1", outline: "#656c76", fill: "#1c2128",
    blue: "#4493f8", green: "#3fb950", red: "#f85149")
}
