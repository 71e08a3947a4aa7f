import Foundation

/// Writes files so that each is the former or the new one, whenever the command is interrupted.
enum FileWriter {
  private static let mark = ".kvo-port-"

  /// Writes files in place.
  ///
  /// - Returns: The paths of those that cannot be written.
  static func write(_ files: [ProgramPort.RewrittenFile]) -> [String] {
    files.compactMap { file in
      (try? write(file.new, to: file.path)) == nil ? file.path : nil
    }
  }

  /// Writes a file, or the one to which a link leads, with the permissions of that or another one.
  static func write(_ bytes: [UInt8], to path: String, like original: String? = nil) throws {
    let target = URL(filePath: path).resolvingSymlinksInPath()
    let folder = target.deletingLastPathComponent()
    let temporary = folder.appending(path: ".\(target.lastPathComponent)\(mark)\(getpid())")
    do {
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: FilePath.resolved(original ?? path) ?? path)
      try Data(bytes).write(to: temporary)
      if let mode = attributes?[.posixPermissions] {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: temporary.path)
      }
      guard rename(temporary.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      throw error
    }
  }

  /// Whether an interrupted run left a file.
  static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.contains(mark) }
}
