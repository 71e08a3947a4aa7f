import Glibc

/// The options of the command line.
struct Options: Equatable {
  var pages = 5
  var start = 1
  var screenshot: String?
  var cycles: Int?
  var wantsHelp = false

  init(_ arguments: [String]) throws(Refusal) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--pages": pages = try Self.number(after: option, &rest, from: 3, to: Planet.all.count)
      case "--start": start = try Self.number(after: option, &rest, from: .min, to: .max)
      case "--cycles": cycles = try Self.number(after: option, &rest, from: 1, to: 1_000_000)
      case "--screenshot":
        guard let file = rest.popFirst() else { throw Refusal.missingFile }
        screenshot = file
      case "--help", "-h": wantsHelp = true
      default: throw Refusal.unknownOption(option)
      }
    }
    guard (1...pages).contains(start) else { throw Refusal.noPage(start, of: pages) }
  }

  private static func number(
    after option: String, _ rest: inout ArraySlice<String>, from least: Int, to most: Int
  ) throws(Refusal) -> Int {
    guard let number = rest.popFirst().flatMap({ Int($0) }), (least...most).contains(number) else {
      throw Refusal.missingNumber(option, from: least, to: most)
    }
    return number
  }

  /// Opens the file of the screenshot for writing, so that one that cannot be written is refused
  /// before a window appears.
  ///
  /// It leaves no file that was not there.
  func checkScreenshot() throws(Refusal) {
    guard let screenshot else { return }
    let exists = access(screenshot, F_OK) == 0
    let descriptor = open(screenshot, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw Refusal.unwritable(screenshot, because: String(cString: strerror(errno)))
    }
    close(descriptor)
    if !exists { unlink(screenshot) }
  }
}
