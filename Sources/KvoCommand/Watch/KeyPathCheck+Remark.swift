extension KeyPathCheck {
  /// A remark for the user, nil if there is none.
  func remark(on keyPath: String, in file: String) -> String? {
    switch self {
    case .works:
      nil
    case .endsAtObject:
      """
      \(file): '\(keyPath)' is an object. Only its replacement is a change; to receive changes of \
      its values, watch its keys.
      """
    case .endsAtElements(let key):
      """
      \(file): '\(keyPath)' holds objects. Only insertions and removals are changes; to receive \
      changes of their values, watch one of their keys\(key.map { ", such as '\(keyPath).\($0)'" } ?? "").
      """
    case .missing(let key, let suggestion):
      "\(file): there is no '\(key)', so \(key == keyPath ? "it" : "'\(keyPath)'") is null until "
        + "it is added." + didYouMean(suggestion)
    case .missingInElements(let link, let key, let suggestion):
      "\(file): no element of '\(link)' has a '\(key)', so it is null in each until it is added."
        + didYouMean(suggestion ?? counted(keyPath, behind: link))
    case .noKeys(let link, let kind):
      "\(file): '\(keyPath)' is not a value, because '\(link)' is \(kind) and has no keys."
        + didYouMean(counted(keyPath, behind: link) ?? link)
    case .noArray(let link, let operatorName, let kind):
      """
      \(file): '\(keyPath)' is not a value, because '\(operatorName)' takes an array and '\(link)' is \
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
