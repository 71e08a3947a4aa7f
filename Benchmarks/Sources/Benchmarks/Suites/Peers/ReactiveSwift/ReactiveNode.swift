#if Peers
  import ReactiveSwift

  final class ReactiveNode: PeerNode {
    static let name = "ReactiveSwift flatMap(.latest)"

    private let next = MutableProperty<ReactiveNode?>(nil)
    private let value = MutableProperty(0)

    var node: ReactiveNode? { next.value }

    func setNode(_ node: ReactiveNode?) { next.value = node }

    func setValue(_ value: Int) { self.value.value = value }

    // Link after link, so that a value passes only one operator, however long the path is.
    func observe(depth: Int, _ handler: @escaping (Int?) -> Void) -> any Disposable {
      var node = next.producer
      for _ in 0..<(depth - 2) {
        node = node.flatMap(.latest) { $0?.next.producer ?? SignalProducer(value: nil) }
      }
      return node.flatMap(.latest) {
        $0?.value.producer.map(Optional.some) ?? SignalProducer(value: nil)
      }
      .startWithValues(handler)
    }

    static func end(_ token: any Disposable) { token.dispose() }
  }
#endif
