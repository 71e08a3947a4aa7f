extension KeyPathCheck {
  /// What the user ought to know, nil if there is nothing.
  func remark(on keyPath: String, in file: String) -> String? {
    switch self {
    case .works:
      nil
    case .endsAtObject:
      """
      \(file): '\(keyPath)' is an object. A line tells when another value takes its place; to hear \
      of what is in it, watch its keys.
      """
    case .endsAtElements(let key):
      """
      \(file): '\(keyPath)' holds objects. A line tells which of them come and go; to hear of what \
      is in them, watch a key of theirs\(key.map { ", such as '\(keyPath).\($0)'" } ?? "").
      """
    case .missing(let key, let suggestion):
      "\(file): there is no '\(key)', so \(key == keyPath ? "it" : "'\(keyPath)'") is null until "
        + "it comes." + didYouMean(suggestion)
    case .missingInElements(let link, let key, let suggestion):
      "\(file): no element of '\(link)' has a '\(key)', so it is null in each until it comes."
        + didYouMean(suggestion ?? counted(keyPath, behind: link))
    case .noKeys(let link, let kind):
      "\(file): '\(keyPath)' leads nowhere, since '\(link)' is \(kind) and has no keys."
        + didYouMean(counted(keyPath, behind: link) ?? link)
    case .noArray(let link, let operatorName, let kind):
      """
      \(file): '\(keyPath)' leads nowhere, since '\(operatorName)' takes an array and '\(link)' is \
      \(kind).\(didYouMean(link))
      """
    }
  }

  private func didYouMean(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean '\($0)'?" } ?? ""
  }

  /// The path with the operator that counts, if it asks an array for a key of that name.
  private func counted(_ keyPath: String, behind link: String) -> String? {
    keyPath == link + ".count" ? link + ".@count" : nil
  }
}
