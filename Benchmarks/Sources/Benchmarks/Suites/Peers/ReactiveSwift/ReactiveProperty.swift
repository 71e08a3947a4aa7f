#if Peers
  import ReactiveSwift

  struct ReactiveProperty: PeerProperty {
    static let name = "ReactiveSwift MutableProperty"
    static let sendsCurrentValue = false

    private let property = MutableProperty(0)

    func set(_ value: Int) { property.value = value }

    func observe(_ handler: @escaping (Int) -> Void) -> (any Disposable)? {
      property.signal.observeValues(handler)
    }

    static func end(_ token: (any Disposable)?) { token?.dispose() }
  }
#endif
