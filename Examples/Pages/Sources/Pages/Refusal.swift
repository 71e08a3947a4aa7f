/// The reason for which the program ends without having done what it was asked for.
struct Refusal: Error, Equatable {
  let sentence: String
  /// The status of the program, as `sysexits.h` numbers it.
  let status: Int32

  static let usage = """
    Usage: Pages [--pages N] [--start N] [--screenshot FILE] [--cycles N]

      --pages N          shows 3 to \(Planet.all.count) pages; 5 if left out
      --start N          opens the window on page N, counted from 1; 1 if left out
      --screenshot FILE  writes what the window shows first to FILE, a PNG, and ends
      --cycles N         opens and closes N windows, counts what is left of them, and ends
    """

  static func unknownOption(_ option: String) -> Refusal {
    Refusal(sentence: "There is no option '\(option)'.\n\n\(usage)", status: 64)
  }

  static func missingNumber(_ option: String, from least: Int, to most: Int) -> Refusal {
    Refusal(sentence: "\(option) needs a number from \(least) to \(most).", status: 64)
  }

  static let missingFile = Refusal(sentence: "--screenshot needs the path of a file.", status: 64)

  static func noPage(_ number: Int, of pages: Int) -> Refusal {
    Refusal(
      sentence: "Page \(number) does not exist: there are pages 1 to \(pages).", status: 65)
  }

  static let noDisplay = Refusal(
    sentence: "GTK cannot open a display. Is DISPLAY or WAYLAND_DISPLAY set?", status: 69)

  static func leftovers(_ text: String) -> Refusal {
    Refusal(sentence: text, status: 70)
  }

  static func unwritable(_ file: String, because reason: String) -> Refusal {
    Refusal(sentence: "\(file) cannot be written: \(reason).", status: 73)
  }
}
