#if Peers
  import RxRelay
  import RxSwift

  struct RxRelayProperty: PeerProperty {
    static let name = "RxSwift BehaviorRelay"
    static let sendsCurrentValue = true

    private let relay = BehaviorRelay(value: 0)

    func set(_ value: Int) { relay.accept(value) }

    func observe(_ handler: @escaping (Int) -> Void) -> any Disposable {
      relay.subscribe(onNext: handler)
    }

    static func end(_ token: any Disposable) { token.dispose() }
  }
#endif
