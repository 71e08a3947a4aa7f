#if Peers
  import OpenCombine

  struct CombineSubjectProperty: PeerProperty {
    static let name = "OpenCombine CurrentValueSubject"
    static let sendsCurrentValue = true

    private let subject = CurrentValueSubject<Int, Never>(0)

    func set(_ value: Int) { subject.value = value }

    func observe(_ handler: @escaping (Int) -> Void) -> AnyCancellable {
      subject.sink(receiveValue: handler)
    }

    static func end(_ token: AnyCancellable) { token.cancel() }
  }
#endif
