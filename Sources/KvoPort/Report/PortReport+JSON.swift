import Foundation

extension PortReport {
  /// The version of the schema, which changes if a field is renamed or removed.
  static let schemaVersion = 1

  /// The report as one JSON object.
  func json(diff: String?) -> String {
    let document = Document(
      version: Self.schemaVersion,
      files: Document.files(rewritten, "rewritten") + Document.files(added, "added")
        + Document.files(unparsed, "unparsed") + Document.files(unwritten, "unwritten"),
      sites: sites.map(Document.SiteEntry.init),
      summary: Document.Summary(
        files: fileCount, rewrittenFiles: rewritten.count, addedFiles: added.count,
        written: isWritten, sites: sites.count,
        rewritten: count(.rewritten), unchanged: count(.unchanged), review: count(.review),
        manual: count(.manual), ownScore: Self.rounded(score(own: true)),
        score: Self.rounded(score()), seconds: Self.rounded(seconds)),
      diff: diff)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(document)) ?? Data("{}".utf8)
    return String(decoding: data, as: UTF8.self)
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  private struct Document: Encodable {
    let version: Int
    let files: [File]
    let sites: [SiteEntry]
    let summary: Summary
    let diff: String?

    static func files(_ paths: [String], _ status: String) -> [File] {
      paths.map { File(path: $0, status: status) }
    }

    struct File: Encodable {
      let path: String
      let status: String
    }

    struct SiteEntry: Encodable {
      let path: String
      let line: Int
      let column: Int
      let pattern: String
      let status: String
      let own: Bool
      let message: String?

      init(_ site: Site) {
        (path, line, column) = (site.path, site.line, site.column)
        pattern = site.pattern.rawValue
        status = site.status.rawValue
        own = site.isOwn
        message = site.message
      }
    }

    struct Summary: Encodable {
      let files: Int
      let rewrittenFiles: Int
      let addedFiles: Int
      let written: Bool
      let sites: Int
      let rewritten: Int
      let unchanged: Int
      let review: Int
      let manual: Int
      let ownScore: Double
      let score: Double
      let seconds: Double
    }
  }
}
