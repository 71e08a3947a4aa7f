import Foundation

/// Writes all that a run found into a folder: the table, the data and the plots.
struct ReportFolder {
  let path: String

  func write(_ outcomes: [Outcome]) {
    let files =
      [
        (name: "table.md", contents: MarkdownTable(outcomes: outcomes).text),
        (name: "data.json", contents: Report(outcomes).json + "\n"),
      ] + Plots(outcomes: outcomes).files
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in files {
        try Data(file.contents.utf8).write(to: folder.appending(path: file.name))
      }
    } catch {
      fail("the report cannot be written to \(path): \(error.localizedDescription)")
    }
  }
}
