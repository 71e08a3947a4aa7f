import KeyValueObserving

extension Item {
  /// Registers an observation, whose changes `receive` is called with.
  func token(for watch: Watch, _ receive: @escaping (Event) -> Void) -> KeyValueObservation {
    let item: Item = self
    if watch.isString { return item.stringToken(for: watch, receive) }
    return switch watch.path {
    case [.x]: typedToken(\.x, watch, receive)
    case [.y]: typedToken(\.y, watch, receive)
    case [.level]: typedToken(\.level, watch, receive)
    case [.mark]: typedToken(\.mark, watch, receive)
    case [.tags]: typedToken(\.tags, watch, receive)
    case [.members]: typedToken(\.members, watch, receive)
    case [.next]: typedToken(\.next, watch, receive)
    case [.friend]: typedToken(\.friend, watch, receive)
    case [.sum]: typedToken(\.sum, watch, receive)
    case [.reach]: typedToken(\.reach, watch, receive)
    case [.total]: typedToken(\.total, watch, receive)
    case [.echo]: typedToken(\.echo, watch, receive)
    case [.next, .x]: typedToken(\.next?.x, watch, receive)
    case [.next, .sum]: typedToken(\.next?.sum, watch, receive)
    case [.next, .y]: typedToken(\.next?.y, watch, receive)
    case [.friend, .x]: typedToken(\.friend?.x, watch, receive)
    case [.next, .tags]: typedToken(\.next?.tags, watch, receive)
    case [.next, .friend, .y]: typedToken(\.next?.friend?.y, watch, receive)
    default: item.stringToken(for: watch, receive)
    }
  }

  private func typedToken<Observed>(
    _ path: KeyPath<Item, Observed>, _ watch: Watch, _ receive: @escaping (Event) -> Void
  ) -> KeyValueObservation {
    let item: Item = self
    return item.observe(path, options: KeyValueObservation.Options(watch.options)) { _, change in
      receive(Event(change, to: watch.observer))
    }
  }

  private func stringToken(
    for watch: Watch, _ receive: @escaping (Event) -> Void
  ) -> KeyValueObservation {
    let text = watch.path.map(\.rawValue).joined(separator: ".")
    // The keys are those of the class.
    return try! observe(text, options: KeyValueObservation.Options(watch.options)) { _, change in
      receive(Event(change, to: watch.observer))
    }
  }
}
