import Foundation

/// Draws the figures of the documentation, each for light and for dark pages, into the catalogs in a
/// folder of modules.
@main
struct FiguresCommand {
  static var figures: [any Figure] {
    [
      Ownership(), Assignment(), PathReplacement(), Reentrancy(), ActorDelivery(), Downloads(),
      DownloadSummary(), Layers(),
    ]
  }

  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: Figures SOURCES\n".utf8))
      exit(64)
    }
    let sources = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
    for figure in figures {
      let folder = sources.appending(path: "\(figure.module)/\(figure.module).docc/Resources")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for palette in [Palette.light, .dark] {
        let file = folder.appending(path: "\(figure.name)\(palette.suffix).svg")
        try Data(figure.svg(in: palette).utf8).write(to: file)
      }
    }
  }
}
