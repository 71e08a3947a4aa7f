import Foundation

/// A run over all files of a program: the texts after it, and the report.
struct ProgramPort {
  struct RewrittenFile: Sendable {
    let path: String
    /// The former text, nil for a new file.
    let old: [UInt8]?
    let new: [UInt8]
    let edits: [Edit]
  }

  private(set) var report = PortReport()
  private(set) var files: [RewrittenFile] = []
  /// The messages about files that are not Swift.
  private(set) var complaints: [String] = []
  private let options: PortOptions

  /// Ports the files that the options name.
  init(_ options: PortOptions) throws(PortError) {
    let start = ContinuousClock.now
    let finder = try FileFinder(options.paths, excluding: options.excluded)
    let words =
      options.platforms == .all
      ? parallelMap(finder.objectiveCFiles) { ObjectiveCFile.words(path: $0) } : []
    self.init(try Self.read(finder.swiftFiles), options, objectiveCWords: words)
    warn(of: finder.objectiveCFiles)
    report.sortSites()
    let duration = ContinuousClock.now - start
    report.seconds =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  /// Ports texts.
  init(
    _ texts: [SourceText], _ options: PortOptions, objectiveCWords: [Set<String>] = [],
    applying patterns: [any Pattern.Type]? = nil
  ) {
    self.options = options
    report.isWritten = options.mode.writes
    report.fileCount = texts.count
    let library = SourceLibrary(texts, options)
    for file in library.files {
      guard let offset = file.firstError else { continue }
      let (line, column) = file.position(of: offset)
      report.unparsed.append(file.path)
      complaints.append(
        "\(file.path):\(line):\(column): error: the file does not parse here, and is left as it is")
    }
    port(Index(library, objectiveCWords: objectiveCWords), applying: patterns ?? allPatterns)
    report.sortSites()
  }

  private static func read(_ paths: [String]) throws(PortError) -> [SourceText] {
    let texts = parallelMap(paths) { try? SourceText(path: $0) }
    for (path, text) in zip(paths, texts) where text == nil {
      throw .noInput("\(path): the file cannot be read.")
    }
    return texts.compactMap(\.self)
  }

  private mutating func port(_ index: Index, applying patterns: [any Pattern.Type]) {
    let ports = index.files.sorted { $0.path < $1.path }.map { source in
      let port = FilePort(source, index, options)
      for pattern in patterns { pattern.apply(to: port) }
      return port
    }
    addAliases(index, ports)
    // The result has to be Swift as the source is: a fault of a pattern must not destroy a file.
    let results = parallelMap(ports.filter { !$0.edits.isEmpty }.map { ($0.file, $0.edits) }) {
      file, edits in
      let bytes = edits.applied(to: file.bytes)
      return Result(path: file.path, bytes: bytes, parses: !SourceFile.parse(bytes).hasError)
    }
    let byPath = Dictionary(uniqueKeysWithValues: results.map { ($0.path, $0) })
    for port in ports {
      if let result = byPath[port.file.path] { add(result, of: port) }
      report.sites += port.sites
    }
  }

  private struct Result: Sendable {
    let path: String
    let bytes: [UInt8]
    let parses: Bool
  }

  private mutating func add(_ result: Result, of port: FilePort) {
    guard result.parses else {
      port.takeBackEdits()
      report.unparsed.append(result.path)
      let sites = port.sites.count(where: \.isEdited)
      complaints.append(
        "\(result.path):1:1: warning: the result would not parse, so the file is left as it is, "
          + "with \(sites) \(sites == 1 ? "site" : "sites") to do by hand, on which other files may "
          + "depend; a fault of the command, please report it")
      return
    }
    guard result.bytes != port.file.bytes else { return }
    report.rewritten.append(result.path)
    files.append(
      RewrittenFile(
        path: result.path, old: port.file.bytes, new: result.bytes, edits: port.edits.sorted))
  }

  /// Adds the files that declare `UserDefaults` as the library's class.
  private mutating func addAliases(_ index: Index, _ ports: [FilePort]) {
    guard options.includes(.userDefaults) else { return }
    for file in index.foundationUse.filesWithoutAlias {
      guard let alias = UserDefaultsPattern.aliasFile(for: file, index) else { continue }
      files.append(
        RewrittenFile(path: alias.path, old: nil, new: Array(alias.text.utf8), edits: []))
      report.added.append(alias.path)
      report.sites.append(
        Site(
          path: alias.path, line: 1, column: 1, pattern: .userDefaults, status: .rewritten,
          isOwn: true, isEdited: true, isNote: false, message: nil))
    }
  }

  /// Gives the sites of the files that were written their positions in the new texts.
  mutating func endWriting(except failed: [String]) {
    report.unwritten = failed
    report.rewritten.removeAll(where: failed.contains)
    report.added.removeAll(where: failed.contains)
    let texts = files.filter { $0.old != nil && !failed.contains($0.path) }
    let moves = Dictionary(
      uniqueKeysWithValues: zip(texts.map(\.path), parallelMap(texts) { PositionMap($0) }))
    for index in report.sites.indices {
      moves[report.sites[index].path]?.move(&report.sites[index])
    }
    report.sortSites()
  }

  private mutating func warn(of objectiveCFiles: [String]) {
    guard options.includes(.objectiveC) else { return }
    report.sites += parallelMap(objectiveCFiles) { ObjectiveCFile(path: $0)?.site }.compactMap(
      \.self)
  }
}
