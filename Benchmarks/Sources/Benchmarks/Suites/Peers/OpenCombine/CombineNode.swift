#if Peers
  import OpenCombine

  final class CombineNode: PeerNode {
    static let name = "OpenCombine switchToLatest"

    private let next = CurrentValueSubject<CombineNode?, Never>(nil)
    private let value = CurrentValueSubject<Int, Never>(0)

    var node: CombineNode? { next.value }

    func setNode(_ node: CombineNode?) { next.value = node }

    func setValue(_ value: Int) { self.value.value = value }

    // Link after link, so that a value passes only one operator, however long the path is.
    func observe(depth: Int, _ handler: @escaping (Int?) -> Void) -> AnyCancellable {
      var node = next.eraseToAnyPublisher()
      for _ in 0..<(depth - 2) {
        node = node.map { $0?.next.eraseToAnyPublisher() ?? CombineNode.nothing() }
          .switchToLatest().eraseToAnyPublisher()
      }
      return
        node
        .map { $0?.value.map(Optional.some).eraseToAnyPublisher() ?? CombineNode.nothing() }
        .switchToLatest().sink(receiveValue: handler)
    }

    static func end(_ token: AnyCancellable) { token.cancel() }

    private static func nothing<Value>() -> AnyPublisher<Value?, Never> {
      Just(nil).eraseToAnyPublisher()
    }
  }
#endif
