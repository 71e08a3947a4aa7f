#if Peers
  import RxSwift

  struct RxPublishProperty: PeerProperty {
    static let name = "RxSwift PublishSubject"
    static let sendsCurrentValue = false

    private let subject = PublishSubject<Int>()

    func set(_ value: Int) { subject.onNext(value) }

    func observe(_ handler: @escaping (Int) -> Void) -> any Disposable {
      subject.subscribe(onNext: handler)
    }

    static func end(_ token: any Disposable) { token.dispose() }
  }
#endif
