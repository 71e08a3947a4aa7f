import Foundation

/// The machine of a run, as far as it helps to read its figures.
enum Machine {
  static var description: String {
    let process = ProcessInfo.processInfo
    let count = process.activeProcessorCount
    return "\(process.operatingSystemVersionString), \(architecture), "
      + "\(count) processor\(count == 1 ? "" : "s")"
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "another architecture"
    #endif
  }
}
