import KeyValueObserving

// How the statements of a program are said in Swift.

extension Node {
  func edit(_ edit: TagsEdit) {
    let tags = mutableArrayValue(for: \.tags)
    switch edit {
    case .insert(let element, let place): tags.insert(element, at: place % (tags.count + 1))
    case .remove(let place): if !tags.isEmpty { tags.remove(at: place % tags.count) }
    case .replace(let place, let element):
      if !tags.isEmpty { tags[place % tags.count] = element }
    }
  }

  func withScope(of key: Key, _ body: () -> Void) {
    switch key {
    case .x: withMutation(of: \.x, body)
    case .y: withMutation(of: \.y, body)
    case .tags: withMutation(of: \.tags, body)
    case .next: withMutation(of: \.next, body)
    case .friend: withMutation(of: \.friend, body)
    case .sum, .reach, .total, .echo: body()
    }
  }

  func token(for registration: Registration, _ hear: @escaping (Event) -> Void) -> Token {
    registration.path.count == 1
      ? ownToken(for: registration, hear) : pathToken(for: registration, hear)
  }

  private func ownToken(for registration: Registration, _ hear: @escaping (Event) -> Void)
    -> Token
  {
    switch registration.path[0] {
    case .x: token(\.x, registration, hear)
    case .y: token(\.y, registration, hear)
    case .tags: token(\.tags, registration, hear)
    case .next: token(\.next, registration, hear)
    case .friend: token(\.friend, registration, hear)
    case .sum: token(\.sum, registration, hear)
    case .reach: token(\.reach, registration, hear)
    case .total: token(\.total, registration, hear)
    case .echo: token(\.echo, registration, hear)
    }
  }

  private func pathToken(for registration: Registration, _ hear: @escaping (Event) -> Void)
    -> Token
  {
    var links = KeyPath<Node, Node?>.link(registration.path[0])
    for key in registration.path.dropFirst().dropLast() {
      let link: KeyPath<Node?, Node?> = key == .next ? \.?.next : \.?.friend
      links = links.appending(path: link)
    }
    return switch registration.path.last! {
    case .x: token(links.appending(path: \Node?.?.x), registration, hear)
    case .y: token(links.appending(path: \Node?.?.y), registration, hear)
    case .tags: token(links.appending(path: \Node?.?.tags), registration, hear)
    case .next: token(links.appending(path: \Node?.?.next), registration, hear)
    case .friend: token(links.appending(path: \Node?.?.friend), registration, hear)
    case .sum: token(links.appending(path: \Node?.?.sum), registration, hear)
    case .reach: token(links.appending(path: \Node?.?.reach), registration, hear)
    case .total: token(links.appending(path: \Node?.?.total), registration, hear)
    case .echo: token(links.appending(path: \Node?.?.echo), registration, hear)
    }
  }

  private func token<Observed>(
    _ path: KeyPath<Node, Observed>, _ registration: Registration,
    _ hear: @escaping (Event) -> Void
  ) -> Token {
    let observer = registration.observer
    let options = KeyValueObservation.Options(registration.options)
    switch registration.surface {
    case .typed:
      return .observation(
        observe(path, options: options) { _, change in hear(Event(change, to: observer)) })
    case .string:
      let text = registration.path.map(\.rawValue).joined(separator: ".")
      // The keys are those of the class.
      return .observation(
        try! observe(text, options: options) { _, change in hear(Event(change, to: observer)) })
    case .reasons:
      return .observer(
        KeyValueObserver(source: self, keyPath: path, options: options) { change, _ in
          hear(Event(change, to: observer))
        })
    }
  }
}

extension KeyPath where Root == Node, Value == Node? {
  fileprivate static func link(_ key: Key) -> KeyPath<Node, Node?> {
    key == .next ? \.next : \.friend
  }
}

/// The token of an observation.
enum Token {
  case observation(KeyValueObservation)
  case observer(KeyValueObserver)

  func end() {
    switch self {
    case .observation(let token): token.invalidate()
    case .observer(let observer): observer.cancel()
    }
  }
}

extension KeyValueObservation.Options {
  init(_ options: Set<Option>) {
    self = []
    for option in options {
      switch option {
      case .initial: insert(.initial)
      case .new: insert(.new)
      case .old: insert(.old)
      case .prior: insert(.prior)
      case .distinct: insert(.distinct)
      }
    }
  }
}

extension Event {
  init<Observed>(_ change: KeyValueChange<Observed>, to observer: Int) {
    self.init(
      observer: observer, isPrior: change.isPrior, kind: change.kind,
      indexes: change.indexes.map { $0.ranges.flatMap { Array($0) } },
      old: change.oldValue.map { Value(of: $0) }, new: change.newValue.map { Value(of: $0) },
      reason: change.reason)
  }
}

extension Value {
  init(of content: Any?) {
    switch content {
    case let number as Int: self = .number(number)
    case let list as [Int]: self = .list(list)
    case let node as Node: self = .node(node.number)
    // Nil, however often it is wrapped.
    default: self = .none
    }
  }
}
