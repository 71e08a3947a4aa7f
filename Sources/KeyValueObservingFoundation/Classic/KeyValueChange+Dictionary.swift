internal import Foundation

extension KeyValueChange<Any?> {
  /// The change as a classic observer hears it.
  ///
  /// What is asked for is there already and what is not is absent, so this decides only what the
  /// kind and the moment leave out: an insertion has no old elements and a removal no new ones, a
  /// prior has nothing new, a setting has no indexes, and only a prior says what it is.
  var dictionary: [NSKeyValueChangeKey: Any] {
    var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
    if kind != .insertion, let oldValue { dictionary[.oldKey] = oldValue ?? NSNull() }
    if kind != .removal, !isPrior, let newValue { dictionary[.newKey] = newValue ?? NSNull() }
    if kind != .setting, let indexes { dictionary[.indexesKey] = IndexSet(places: indexes) }
    if isPrior { dictionary[.notificationIsPriorKey] = true }
    return dictionary
  }
}
