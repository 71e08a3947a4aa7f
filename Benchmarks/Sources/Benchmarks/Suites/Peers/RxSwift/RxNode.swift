#if Peers
  import RxRelay
  import RxSwift

  final class RxNode: PeerNode {
    static let name = "RxSwift flatMapLatest"

    private let next = BehaviorRelay<RxNode?>(value: nil)
    private let value = BehaviorRelay(value: 0)

    var node: RxNode? { next.value }

    func setNode(_ node: RxNode?) { next.accept(node) }

    func setValue(_ value: Int) { self.value.accept(value) }

    // Link after link, so that a value passes only one operator, however long the path is.
    func observe(depth: Int, _ handler: @escaping (Int?) -> Void) -> any Disposable {
      var node = next.asObservable()
      for _ in 0..<(depth - 2) {
        node = node.flatMapLatest { $0?.next.asObservable() ?? .just(nil) }
      }
      return node.flatMapLatest { $0?.value.map(Optional.some) ?? .just(nil) }
        .subscribe(onNext: handler)
    }

    static func end(_ token: any Disposable) { token.dispose() }
  }
#endif
