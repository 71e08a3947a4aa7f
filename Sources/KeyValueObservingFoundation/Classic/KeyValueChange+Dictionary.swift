internal import KeyValueObservingCore

#if canImport(ObjectiveC)
  public import Foundation
#else
  internal import Foundation
#endif

extension KeyValueChange {
  /// The change as a dictionary, in the form in which an `addObserver`-style observer receives it.
  ///
  /// `kindKey` is always there and holds a `UInt`, the raw value of the kind. `newKey` and `oldKey`
  /// are there if the observation requested the value, and hold `NSNull` for nil. A removal has no
  /// new value, an insertion no old one, and a prior notification no new one. `indexesKey` holds an
  /// `IndexSet` where elements of an ordered collection changed, and `notificationIsPriorKey` holds
  /// true in a prior notification and is absent in every other change.
  ///
  /// Use it to pass a change on to code that takes a `[NSKeyValueChangeKey: Any]`. The reason of
  /// the change is not part of it.
  ///
  /// - Complexity: O(*n*) in the number of ranges of indexes.
  public var dictionary: [NSKeyValueChangeKey: Any] {
    var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
    if kind != .insertion, let oldValue { dictionary[.oldKey] = object(of: oldValue) }
    if kind != .removal, !isPrior, let newValue { dictionary[.newKey] = object(of: newValue) }
    if kind != .setting, let indexes { dictionary[.indexesKey] = IndexSet(places: indexes) }
    if isPrior { dictionary[.notificationIsPriorKey] = true }
    return dictionary
  }
}

/// A value without its optional layers, `NSNull` for nil.
private func object<Value>(of value: Value) -> Any {
  // The values for `addObserver`-style observers have no more layers. Looking for them takes a
  // dynamic cast.
  if Value.self == Any?.self { return unsafeBitCast(value, to: Any?.self) ?? NSNull() }
  return flatten(value) ?? NSNull()
}
