import KeyValueObserving

/// The request of the arguments.
enum Invocation: Equatable {
  case help
  case version
  case tour
  case watch(WatchRequest)
  /// The arguments are those of another executable.
  case port([String])

  /// Reads the arguments that follow the name of the program.
  ///
  /// Options may stand anywhere; what follows `--` is none.
  init(_ arguments: some Collection<String>) throws(CommandError) {
    if arguments.first == "port" {
      self = .port(Array(arguments.dropFirst()))
      return
    }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let options = arguments[..<end].filter { $0.hasPrefix("-") && $0 != "-" }
    let operands =
      arguments[..<end].filter { !$0.hasPrefix("-") || $0 == "-" } + arguments[end...].dropFirst()
    if options.contains("--help") || options.contains("-h") {
      self = .help
    } else if options.contains("--version") {
      self = .version
    } else {
      self = try Self.command(operands, options)
    }
  }

  private static func command(
    _ operands: [String], _ options: [String]
  ) throws(CommandError) -> Self {
    switch operands.first {
    case "watch":
      try refuse(options, of: "watch", but: ["--json", "--once"])
      return .watch(try WatchRequest(operands.dropFirst(), options))
    case "tour":
      try refuse(options, of: "tour", but: [])
      guard operands.count == 1 else {
        throw .usage("tour takes no arguments, found '\(operands[1])'.\n\(Help.hint)")
      }
      return .tour
    case "port": throw .usage("port comes first, and its options follow it.\n\(Help.hint)")
    case let unknown?:
      let suggestion = didYouMean(unknown, among: ["watch", "tour", "port"])
      throw .usage("there is no command '\(unknown)'.\(suggestion)\n\(Help.hint)")
    case nil:
      try refuse(options, of: nil, but: [])
      throw .usage("a command is missing, watch, tour or port.\n\(Help.hint)")
    }
  }

  private static func refuse(
    _ options: [String], of command: String?, but known: [String]
  ) throws(CommandError) {
    guard let unknown = options.first(where: { !known.contains($0) }) else { return }
    let suggestion = didYouMean(unknown, among: known + ["--help", "--version"])
    let refusal = command.map { "\($0) has" } ?? "there is"
    throw .usage("\(refusal) no option '\(unknown)'.\(suggestion)\n\(Help.hint)")
  }
}

extension WatchRequest {
  fileprivate init(
    _ operands: ArraySlice<String>, _ options: [String]
  ) throws(CommandError) {
    guard let file = operands.first, !file.isEmpty else {
      throw .usage("watch needs the file to watch, and a key path.\n\(Help.hint)")
    }
    keyPaths = Array(operands.dropFirst())
    if keyPaths.isEmpty {
      throw .usage("watch needs a key path to watch in '\(file)'.\n\(Help.hint)")
    }
    self.file = file
    isJSON = options.contains("--json")
    isOnce = options.contains("--once")
  }
}

/// The sentence that suggests the candidate nearest to a word, empty if none is near.
func didYouMean(_ word: String, among candidates: [String]) -> String {
  nearest(to: word, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
}
