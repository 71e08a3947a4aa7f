/// The result of a run: sites, files and the numbers about them.
struct PortReport: Sendable {
  var sites: [Site] = []
  var fileCount = 0
  /// Whether the run writes the files.
  var isWritten = false
  /// The files whose text changes, in order.
  var rewritten: [String] = []
  /// The files that are new.
  var added: [String] = []
  /// The files that could not be written.
  var unwritten: [String] = []
  /// The files that are not Swift, or whose result would not be.
  var unparsed: [String] = []
  var seconds = 0.0

  mutating func sortSites() {
    sites.sort { ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column) }
  }

  func count(_ status: Site.Status, of pattern: PatternName? = nil, own: Bool? = nil) -> Int {
    sites.reduce(0) { count, site in
      let fits =
        site.status == status && (pattern == nil || site.pattern == pattern)
        && (own == nil || site.isOwn == own)
      return fits ? count + 1 : count
    }
  }

  /// The share of sites that work after the run, in percent, of the program's own classes or of all.
  func score(own: Bool? = nil) -> Double {
    let sites = own.map { own in self.sites.filter { $0.isOwn == own } } ?? self.sites
    if sites.isEmpty { return 100 }
    let working = sites.reduce(0) { $1.status == .manual ? $0 : $0 + 1 }
    return Double(working) * 100 / Double(sites.count)
  }

  var summary: String {
    let would = isWritten ? "" : "would be "
    let files =
      "\(rewritten.count) of \(fileCount) \(fileCount == 1 ? "file" : "files") \(would)rewritten"
      + (added.isEmpty ? "" : ", \(added.count) \(would)added")
    let sites = "\(self.sites.count) \(self.sites.count == 1 ? "site" : "sites")"
    return "\(files), \(sites), \(count(.manual)) to do by hand, \(Self.percent(score())) portable "
      + "(\(Self.decimal(seconds)) s)"
  }

  /// The table of patterns and the score.
  var table: String {
    let rows = PatternName.allCases.compactMap(row)
    let head = ["pattern", "rewritten", "unchanged", "to review", "manual"]
    let total = ["total"] + Site.Status.allCases.map { String(count($0)) }
    let table = [head] + rows + [total]
    let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    let lines = table.map { row in
      row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + padding : padding + text
      }
      .joined(separator: "  ")
    }
    return (lines + ["", score]).joined(separator: "\n")
  }

  private func row(_ pattern: PatternName) -> [String]? {
    let counts = Site.Status.allCases.map { count($0, of: pattern) }
    return counts.allSatisfy { $0 == 0 } ? nil : [pattern.rawValue] + counts.map(String.init)
  }

  private var score: String {
    """
    own classes: \(Self.percent(score(own: true))) portable
    in total:    \(Self.percent(score())) portable
    """
  }

  /// A number with one decimal place, which is not rounded up to all.
  static func percent(_ value: Double) -> String {
    let rounded = value < 100 ? min(value, 99.9) : value
    return "\(decimal(rounded)) %"
  }

  static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
