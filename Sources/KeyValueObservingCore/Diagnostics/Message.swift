/// The parts of a message.
///
/// Its text is `<call or key path>: <what happened>. <What to write.>`
package struct Message {
  /// The call, property or key path that is at fault; nil if the finding begins with it.
  package let place: String?
  /// The event, in the present tense and without a period.
  package let finding: String
  /// The fix; nil if the finding includes it.
  package let remedy: String?

  package init(_ place: String?, _ finding: String, _ remedy: String?) {
    self.place = place
    self.finding = finding
    self.remedy = remedy
  }

  package var text: String {
    (place.map { "\($0): " } ?? "") + finding + "." + (remedy.map { " \($0)" } ?? "")
  }

  /// The message as a part of one about another place, which goes without saying: the finding
  /// begins with its own place only if that is another one.
  package func within(_ others: String...) -> Self {
    guard let place, !others.contains(place) else { return Self(nil, finding, remedy) }
    return Self(nil, "\(place): \(finding)", remedy)
  }
}
