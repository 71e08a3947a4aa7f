/// The request of the command line.
struct Invocation {
  enum Action {
    case measure
    case list
    case help
    case instructions(name: String, passes: Int)
  }

  private(set) var action = Action.measure
  /// Only rows whose suite or name contain this are run.
  private(set) var filter = ""
  private(set) var isJSON = false
  /// The folder for a report, besides printing.
  private(set) var reportFolder: String?

  init(_ arguments: [String]) throws(InvocationError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": action = .help
      case "--list": action = .list
      case "--json": isJSON = true
      case "--report": reportFolder = try Self.value(of: argument, in: &rest)
      case "--filter": filter = try Self.value(of: argument, in: &rest)
      case "--instructions":
        let name = try Self.value(of: argument, in: &rest)
        action = .instructions(name: name, passes: try Self.passes(in: &rest))
      default: throw InvocationError("unknown argument “\(argument)”; see --help")
      }
    }
  }

  private static func value(
    of option: String, in rest: inout ArraySlice<String>
  ) throws(InvocationError) -> String {
    guard let value = rest.popFirst() else { throw InvocationError("\(option) needs a value") }
    return value
  }

  private static func passes(in rest: inout ArraySlice<String>) throws(InvocationError) -> Int {
    guard rest.first == "--passes" else { return CountedRun.defaultPasses }
    let option = rest.removeFirst()
    let text = try value(of: option, in: &rest)
    guard let passes = Int(text), passes > 0 else {
      throw InvocationError("\(option) needs a positive number, not “\(text)”")
    }
    return passes
  }
}

/// Why a command line cannot be obeyed.
struct InvocationError: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
