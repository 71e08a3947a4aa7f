import Foundation

/// Paths of files and folders, as text.
enum FilePath {
  /// A path without components that are empty or `.`.
  static func normalized(_ path: String) -> String {
    let text = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + text }
    return text.isEmpty && !path.isEmpty ? "." : text
  }

  /// The absolute path without links, nil if there is no such file or folder.
  static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// The absolute path of a file, of which only the name itself may be a link, or not there yet.
  static func entry(_ path: String) -> String? {
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = components.last, !["", ".", ".."].contains(name) else { return resolved(path) }
    let folder = components.dropLast().joined(separator: "/")
    let isRoot = folder.isEmpty && path.hasPrefix("/")
    return resolved(isRoot ? "/" : folder.isEmpty ? "." : folder).map { join($0, String(name)) }
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") || name.isEmpty ? folder + name : "\(folder)/\(name)"
  }

  /// The rest of a path in a folder, empty for the folder itself, nil outside of it.
  static func rest(of path: String, in folder: String) -> String? {
    if path == folder { return "" }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }

  /// Whether there is a folder, or a link to one.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// The path from the current folder, if the file is below that one.
  static func fromCurrentFolder(_ path: String) -> String {
    guard path.hasPrefix("/") || path.split(separator: "/").contains(".."),
      let file = entry(path), let current = resolved(".")
    else { return path }
    return rest(of: file, in: current) ?? path
  }
}
