import KeyValueObserving

extension Node {
  /// Registers an observation, whose changes `receive` is called with.
  func token(for registration: Registration, _ receive: @escaping (Event) -> Void) -> Token {
    registration.path.count == 1
      ? ownToken(for: registration, receive) : pathToken(for: registration, receive)
  }

  private func ownToken(for registration: Registration, _ receive: @escaping (Event) -> Void)
    -> Token
  {
    switch registration.path[0] {
    case .x: token(\.x, registration, receive)
    case .y: token(\.y, registration, receive)
    case .tags: token(\.tags, registration, receive)
    case .next: token(\.next, registration, receive)
    case .friend: token(\.friend, registration, receive)
    case .sum: token(\.sum, registration, receive)
    case .reach: token(\.reach, registration, receive)
    case .total: token(\.total, registration, receive)
    case .echo: token(\.echo, registration, receive)
    case .bonus: fatalError("Programs do not observe a key of the subclass alone.")
    }
  }

  private func pathToken(for registration: Registration, _ receive: @escaping (Event) -> Void)
    -> Token
  {
    var links = KeyPath<Node, Node?>.link(registration.path[0])
    for key in registration.path.dropFirst().dropLast() {
      let link: KeyPath<Node?, Node?> = key == .next ? \.?.next : \.?.friend
      links = links.appending(path: link)
    }
    return switch registration.path.last! {
    case .x: token(links.appending(path: \Node?.?.x), registration, receive)
    case .y: token(links.appending(path: \Node?.?.y), registration, receive)
    case .tags: token(links.appending(path: \Node?.?.tags), registration, receive)
    case .next: token(links.appending(path: \Node?.?.next), registration, receive)
    case .friend: token(links.appending(path: \Node?.?.friend), registration, receive)
    case .sum: token(links.appending(path: \Node?.?.sum), registration, receive)
    case .reach: token(links.appending(path: \Node?.?.reach), registration, receive)
    case .total: token(links.appending(path: \Node?.?.total), registration, receive)
    case .echo: token(links.appending(path: \Node?.?.echo), registration, receive)
    case .bonus: fatalError("Programs do not observe a key of the subclass alone.")
    }
  }

  private func token<Observed>(
    _ path: KeyPath<Node, Observed>, _ registration: Registration,
    _ receive: @escaping (Event) -> Void
  ) -> Token {
    let node: Node = self
    let observer = registration.observer
    let options = KeyValueObservation.Options(registration.options)
    switch registration.surface {
    case .typed:
      return .observation(
        node.observe(path, options: options) { _, change in receive(Event(change, to: observer)) })
    case .string:
      let text = registration.path.map(\.rawValue).joined(separator: ".")
      // The keys are those of the class.
      return .observation(
        try! node.observe(text, options: options) { _, change in
          receive(Event(change, to: observer))
        })
    case .reasons:
      return .observer(
        KeyValueObserver(source: node, keyPath: path, options: options) { change, _ in
          receive(Event(change, to: observer))
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
    case let members as Set<Int>: self = .list(members.sorted())
    case let node as Node: self = .node(node.number)
    case let item as Item: self = .node(item.number)
    // Nil, however often it is wrapped.
    default: self = .none
    }
  }
}
