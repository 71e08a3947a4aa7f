import Foundation

/// Whether files have changes that are not committed.
struct GitStatus {
  /// The first of some files that has uncommitted changes, or lies outside of a repository, with the
  /// sentence about it; nil if all are committed.
  static func complaint(about paths: [String]) -> String? {
    var folders: [String: [String]] = [:]
    for path in paths {
      let url = URL(filePath: path).resolvingSymlinksInPath()
      folders[url.deletingLastPathComponent().path, default: []].append(url.lastPathComponent)
    }
    for (folder, names) in folders.sorted(by: { $0.key < $1.key }) {
      guard
        let output = git(
          ["status", "--porcelain", "--ignored", "-z", "--"] + names.sorted(), in: folder)
      else {
        return "\(folder) is in no git repository, so the files as they are would be lost. "
          + "Pass --allow-dirty to rewrite them."
      }
      if let entry = output.split(separator: "\0").first {
        let name = entry.dropFirst(3).split(separator: "/").last ?? entry
        return "\(folder)/\(name) has uncommitted changes. Commit them, or pass --allow-dirty."
      }
    }
    return nil
  }

  /// The output of git, nil if it fails.
  private static func git(_ arguments: [String], in folder: String) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
