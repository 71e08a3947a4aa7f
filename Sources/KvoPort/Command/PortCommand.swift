import Foundation

/// `kvo port`, from its arguments to its status.
package enum PortCommand {
  /// Runs the command with the arguments of the process, and ends it.
  package static func main() -> Never {
    exit(
      run(
        Array(CommandLine.arguments.dropFirst()), StandardStream(.standardOutput),
        StandardStream(.standardError)))
  }

  /// Runs the command with the arguments that follow `kvo port`, and returns its status.
  static func run(
    _ arguments: [String], _ output: some PortStream, _ messages: some PortStream
  ) -> Int32 {
    do throws(PortError) {
      switch try PortRequest(arguments) {
      case .help: output.print(PortHelp.text)
      case .list: output.print(list)
      case .port(let options):
        return try PortRun(options, output, messages).run()
      }
      return 0
    } catch {
      messages.print("kvo port: \(error.message)")
      return error.status
    }
  }

  private static var list: String {
    let width = PatternName.allCases.map(\.rawValue.count).max() ?? 0
    return PatternName.allCases.map { pattern in
      pattern.rawValue + String(repeating: " ", count: width - pattern.rawValue.count + 2)
        + pattern.summary
    }
    .joined(separator: "\n")
  }
}

/// One run: what it writes and prints.
private struct PortRun<Output: PortStream, Messages: PortStream> {
  private let options: PortOptions
  private let output: Output
  private let messages: Messages

  init(_ options: PortOptions, _ output: Output, _ messages: Messages) {
    self.options = options
    self.output = output
    self.messages = messages
  }

  func run() throws(PortError) -> Int32 {
    let folder: OutputFolder? =
      if case .copy(let path) = options.mode {
        try OutputFolder(path, copying: options.paths)
      } else {
        nil
      }
    var port = try ProgramPort(options)
    if options.mode == .inPlace, !options.allowsDirty {
      let existing = port.files.filter { $0.old != nil }.map(\.path)
      if let complaint = GitStatus.complaint(about: existing) { throw .cannotCreate(complaint) }
    }
    if options.mode.writes {
      port.endWriting(except: try folder?.write(port.files) ?? FileWriter.write(port.files))
    }
    port.complaints.forEach(messages.print)
    for site in port.report.sites where !(options.isQuiet && site.isNote) {
      site.diagnostic.map(messages.print)
    }
    for path in port.report.unwritten {
      messages.print("kvo port: \(path): the file cannot be written.")
    }
    print(port)
    messages.print(port.report.summary)
    return status(port)
  }

  private func print(_ port: ProgramPort) {
    var diff: [UInt8] = []
    if options.mode == .dryRun {
      for file in port.files {
        let path = FilePath.fromCurrentFolder(file.path)
        diff += UnifiedDiff(path: path, old: file.old, new: file.new, edits: file.edits).bytes
      }
    }
    if options.isJSON {
      let text = options.mode == .dryRun ? String(decoding: diff, as: UTF8.self) : nil
      output.print(port.report.json(diff: text))
    } else if options.mode == .dryRun {
      output.write(diff)
    } else if options.mode == .check {
      output.print(port.report.table)
    }
  }

  private func status(_ port: ProgramPort) -> Int32 {
    if !port.report.unwritten.isEmpty { return 74 }
    if !port.report.unparsed.isEmpty { return 65 }
    if !options.mode.writes, !port.files.isEmpty { return 1 }
    return options.isStrict && port.report.count(.manual) > 0 ? 1 : 0
  }
}
