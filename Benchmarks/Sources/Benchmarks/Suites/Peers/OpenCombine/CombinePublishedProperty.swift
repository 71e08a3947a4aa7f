#if Peers
  import OpenCombine

  struct CombinePublishedProperty: PeerProperty {
    static let name = "OpenCombine @Published"
    static let sendsCurrentValue = true

    private let object = Object()

    func set(_ value: Int) { object.count = value }

    func observe(_ handler: @escaping (Int) -> Void) -> AnyCancellable {
      object.$count.sink(receiveValue: handler)
    }

    static func end(_ token: AnyCancellable) { token.cancel() }

    private final class Object: ObservableObject {
      @Published var count = 0
    }
  }
#endif
