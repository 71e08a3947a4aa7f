#if Peers
  import RxSwift

  struct RxBehaviorProperty: PeerProperty {
    static let name = "RxSwift BehaviorSubject"
    static let sendsCurrentValue = true

    private let subject = BehaviorSubject(value: 0)

    func set(_ value: Int) { subject.onNext(value) }

    func observe(_ handler: @escaping (Int) -> Void) -> any Disposable {
      subject.subscribe(onNext: handler)
    }

    static func end(_ token: any Disposable) { token.dispose() }
  }
#endif
