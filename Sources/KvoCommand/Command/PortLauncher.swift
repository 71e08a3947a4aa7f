import Foundation

/// Starts `kvo-port`, the executable of `kvo port`.
///
/// It is one of its own because it needs SwiftSyntax, without which the other commands start faster.
struct PortLauncher {
  private let name = "kvo-port"

  /// Replaces the process by `kvo-port`, which ends with the status of the command.
  func launch(_ arguments: [String]) throws(CommandError) -> Never {
    guard
      let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    else { throw missing("the command") }
    let executable = folder.appending(path: name).path
    guard FileManager.default.isExecutableFile(atPath: executable) else {
      throw missing("'\(folder.path)'")
    }
    var pointers = ([executable] + arguments).map { strdup($0) }
    pointers.append(nil)
    execv(executable, &pointers)
    throw .unavailable("'\(executable)' cannot be started: \(String(cString: strerror(errno)))")
  }

  private func missing(_ place: String) -> CommandError {
    .unavailable(
      "port needs the executable '\(name)' beside \(place). Build it with "
        + "'swift build --product \(name)'.")
  }
}
