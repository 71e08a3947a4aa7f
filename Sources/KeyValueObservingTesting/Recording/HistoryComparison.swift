/// The history that a test expects and the one that it finds.
struct HistoryComparison {
  let expected: [KeyValueChangeRecord]
  let found: [KeyValueChangeRecord]

  /// The failure if the two differ, else nil.
  ///
  /// It has a line for each change, in order, with a minus before a missing and a plus before an
  /// unexpected one. If a missing and an unexpected change read the same, the lines show what
  /// differs.
  func failure(of title: String) -> String? {
    guard expected != found else { return nil }
    let lines = self.lines.map { "  \($0)" }
    return """
      \(title): the changes differ from those expected ('-' expected, but missing; '+' found, but \
      not expected).
      \(lines.joined(separator: "\n"))
      """
  }

  private var lines: [String] {
    let difference = found.difference(from: expected)
    var missing: Set<Int> = []
    var unexpected: Set<Int> = []
    for step in difference {
      switch step {
      case .remove(let place, _, _): missing.insert(place)
      case .insert(let place, _, _): unexpected.insert(place)
      }
    }
    let alike = Set(missing.map { expected[$0].description })
      .intersection(unexpected.map { found[$0].description })
    func text(_ record: KeyValueChangeRecord) -> String {
      let text = record.description
      return alike.contains(text) ? record.detailedDescription : text
    }
    var lines: [String] = []
    var (place, foundPlace) = (0, 0)
    while place < expected.count || foundPlace < found.count {
      if missing.contains(place) {
        lines.append("- \(text(expected[place]))")
        place += 1
      } else if unexpected.contains(foundPlace) {
        lines.append("+ \(text(found[foundPlace]))")
        foundPlace += 1
      } else {
        lines.append("  \(expected[place])")
        place += 1
        foundPlace += 1
      }
    }
    return lines
  }
}
