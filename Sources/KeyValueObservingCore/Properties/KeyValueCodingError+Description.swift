extension KeyValueCodingError: CustomStringConvertible {
  /// The key or key path, what happened, and what to write instead.
  public var description: String { message.text }

  package var message: Message { message(listing: ListedKeys.init(of:)) }
}

extension ListedKeys {
  fileprivate init(of type: Any.Type) {
    guard let type = type as? any KeyValueObservable.Type else {
      self = .unknown
      return
    }
    if type.hasDynamicKeys {
      self = .dynamic
      return
    }
    let properties = PropertyTable.of(type).properties
    self = .declared(
      properties.filter { !$0.isPrivate }.map(\.key),
      computed: Set(properties.filter { $0.kind == .computed }.map(\.key)))
  }
}
