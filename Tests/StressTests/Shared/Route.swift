import KeyValueObserving

/// The key paths that are observed from a shared object.
enum Route: CaseIterable {
  case value, valueByKey
  case deep, deepByString
  case throughWeak, throughWeakByString
  case sum, sumOfChild, sumByString
  case mark, markOfChild, markByString
  case crowd

  /// The last key.
  enum Last { case value, mark, sum, crowd }

  var last: Last {
    switch self {
    case .value, .valueByKey, .deep, .deepByString, .throughWeak, .throughWeakByString: .value
    case .sum, .sumOfChild, .sumByString: .sum
    case .mark, .markOfChild, .markByString: .mark
    case .crowd: .crowd
    }
  }

  /// The keys before the last one.
  var links: [Input.Key] {
    switch self {
    case .value, .valueByKey, .sum, .mark, .crowd: []
    case .deep, .deepByString: [.child, .child, .child]
    case .throughWeak, .throughWeakByString: [.peer, .child]
    case .sumOfChild, .markOfChild, .markByString: [.child]
    case .sumByString: [.child, .child]
    }
  }

  /// Whether it takes a root to reach a tail.
  var isDeep: Bool { self == .deep || self == .deepByString }

  /// Registers a listener, as an observer with reasons or as a closure.
  func register(
    _ listener: Listener, on root: StressNode, _ options: KeyValueObservation.Options
  ) -> Token {
    switch self {
    case .value: typed(\.value, listener, root, options)
    case .valueByKey: string("value", listener, root, options)
    case .deep: typed(\.child?.child?.child?.value, listener, root, options)
    case .deepByString: string("child.child.child.value", listener, root, options)
    case .throughWeak: typed(\.peer?.child?.value, listener, root, options)
    case .throughWeakByString: string("peer.child.value", listener, root, options)
    case .sum: typed(\.sum, listener, root, options)
    case .sumOfChild: typed(\.child?.sum, listener, root, options)
    case .sumByString: string("child.child.sum", listener, root, options)
    case .mark: typed(\.mark, listener, root, options)
    case .markOfChild: typed(\.child?.mark, listener, root, options)
    case .markByString: string("child.mark", listener, root, options)
    case .crowd: string("crowd.@sum.value", listener, root, options)
    }
  }

  private func typed<Value>(
    _ keyPath: KeyPath<StressNode, Value>, _ listener: Listener, _ root: StressNode,
    _ options: KeyValueObservation.Options
  ) -> Token {
    let life = listener.closureLife()
    if listener.receivesReasons {
      return .observer(
        KeyValueObserver(source: root, keyPath: keyPath, options: options, isolation: nil) {
          [listener, life] change, _ in listener.receive(change, life)
        })
    }
    return .observation(
      root.observe(keyPath, options: options, isolation: nil) { [listener, life] _, change in
        listener.receive(change, life)
      })
  }

  private func string(
    _ keyPath: String, _ listener: Listener, _ root: StressNode,
    _ options: KeyValueObservation.Options
  ) -> Token {
    let life = listener.closureLife()
    do {
      if listener.receivesReasons {
        return .observer(
          try KeyValueObserver(source: root, keyPath: keyPath, options: options, isolation: nil) {
            [listener, life] change, _ in listener.receive(change, life)
          })
      }
      return .observation(
        try root.observe(keyPath, options: options, isolation: nil) { [listener, life] _, change in
          listener.receive(change, life)
        })
    } catch {
      fatalError("The key path \(keyPath) is one of StressNode: \(error)")
    }
  }
}

/// The token of an observation.
enum Token: Sendable {
  case observation(KeyValueObservation)
  case observer(KeyValueObserver)

  func end() {
    switch self {
    case .observation(let observation): observation.invalidate()
    case .observer(let observer): observer.cancel()
    }
  }
}
