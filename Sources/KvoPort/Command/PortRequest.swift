/// The request of the arguments.
enum PortRequest: Equatable {
  case help
  case list
  case port(PortOptions)

  /// Reads the arguments that follow `kvo port`.
  ///
  /// Options and paths may be in any order; all arguments behind `--` are paths.
  init(_ arguments: some Sequence<String>) throws(PortError) {
    var reader = ArgumentReader(Array(arguments))
    try reader.read()
    if reader.wantsHelp {
      self = .help
    } else if reader.wantsList {
      self = .list
    } else {
      if reader.options.paths.isEmpty {
        throw .usage("port needs a file or a folder.")
      }
      reader.options.paths = reader.options.paths.map(FilePath.normalized)
      self = .port(reader.options)
    }
  }
}

private struct ArgumentReader {
  private static let flags = [
    "--allow-dirty", "--check", "--dry-run", "--exclude", "--for", "--help", "--json", "--list",
    "--observe-all", "--only", "--output", "--quiet", "--skip", "--strict", "--try",
  ]

  var options = PortOptions()
  var wantsHelp = false
  var wantsList = false
  private var rest: ArraySlice<String>
  private var modes: [String] = []
  /// The text behind `=`.
  private var attached: String?

  init(_ arguments: [String]) {
    rest = arguments[...]
  }

  mutating func read() throws(PortError) {
    while let argument = rest.popFirst() {
      if argument == "--" {
        options.paths += rest
        return try checkModes()
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        options.paths.append(argument)
        continue
      }
      // `--for=linux` is the same as `--for linux`.
      if let equals = argument.firstIndex(of: "="), argument.hasPrefix("--") {
        let flag = String(argument[..<equals])
        guard Self.takesValue(flag) else { throw .usage("'\(flag)' takes no value.") }
        attached = String(argument[argument.index(after: equals)...])
        try read(flag)
      } else {
        attached = nil
        try read(argument)
      }
    }
    try checkModes()
  }

  private static func takesValue(_ flag: String) -> Bool {
    !flags.contains(flag)
      || ["--exclude", "--for", "--only", "--output", "--skip", "--try"].contains(flag)
  }

  private mutating func read(_ flag: String) throws(PortError) {
    switch flag {
    case "--help", "-h": wantsHelp = true
    case "--list": wantsList = true
    case "--dry-run": setMode(.dryRun, flag)
    case "--check": setMode(.check, flag)
    case "--output": setMode(.copy(to: try value(of: flag)), flag)
    case "--json": options.isJSON = true
    case "--for": options.platforms = try choice(of: flag)
    case "--observe-all": options.observesAll = true
    case "--try": options.attempt = try choice(of: flag)
    case "--only": options.only.insert(try choice(of: flag))
    case "--skip": options.skipped.insert(try choice(of: flag))
    case "--allow-dirty": options.allowsDirty = true
    case "--exclude": options.excluded.append(Glob(try value(of: flag)))
    case "--quiet": options.isQuiet = true
    case "--strict": options.isStrict = true
    default:
      throw .usage("port has no option '\(flag)'.\(suggestion(for: flag, among: Self.flags))")
    }
  }

  private mutating func setMode(_ mode: PortOptions.Mode, _ flag: String) {
    options.mode = mode
    if !modes.contains(flag) { modes.append(flag) }
  }

  private func checkModes() throws(PortError) {
    guard modes.count > 1 else { return }
    throw .usage("'\(modes[0])' and '\(modes[1])' cannot be combined.")
  }

  /// The text behind `=`, or the next argument.
  private mutating func value(of flag: String) throws(PortError) -> String {
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw .usage("'\(flag)' needs a value.")
    }
    guard attached != nil || !value.hasPrefix("-") else {
      throw .usage("'\(flag)' needs a value, and '\(value)' is an option.")
    }
    return value
  }

  private mutating func choice<Choice>(of flag: String) throws(PortError) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    let value = try value(of: flag)
    if let choice = Choice(rawValue: value) { return choice }
    let choices = Choice.allCases.map(\.rawValue)
    if Choice.self == PatternName.self {
      let suggestion = suggestion(for: value, among: choices)
      throw .usage("there is no pattern '\(value)'.\(suggestion) '--list' prints them.")
    }
    throw .usage("'\(flag)' takes \(choices.joined(separator: ", ")), not '\(value)'.")
  }

  /// The sentence that suggests the candidate nearest to a word, empty if none is near.
  private func suggestion(for word: String, among candidates: [String]) -> String {
    let nearest = candidates.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= max(2, word.count / 4) else { return "" }
    return " Did you mean '\(nearest.0)'?"
  }

  /// The number of letters that are to be inserted, removed or replaced.
  private func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var previous = row[0]
      row[0] = index + 1
      for column in right.indices {
        let cost = right[column] == letter ? previous : previous + 1
        previous = row[column + 1]
        row[column + 1] = min(cost, row[column] + 1, previous + 1)
      }
    }
    return row[right.count]
  }
}
