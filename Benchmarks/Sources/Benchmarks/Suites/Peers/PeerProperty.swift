#if Peers
  /// An observable number as another library has it.
  protocol PeerProperty {
    associatedtype Token

    static var name: String { get }
    /// Whether a new observer is called once with the current value.
    static var sendsCurrentValue: Bool { get }

    init()
    func set(_ value: Int)
    func observe(_ handler: @escaping (Int) -> Void) -> Token
    static func end(_ token: Token)
  }

  extension PeerProperty {
    static func set(observers: Int) -> Subject {
      Subject("\(name), set, \(observers) observing", callbacks: observers) { ledger in
        let property = Self()
        for place in 0..<observers {
          ledger.keep(Kept(property.observe { ledger.note($0, at: place) }))
        }
        return { passes in
          for value in 0..<passes { property.set(value) }
        }
      }
    }

    /// Sets of different properties, each of which is delivered at once.
    static func sets(_ count: Int) -> Subject {
      Subject(
        "\(name), one of \(count) sets, 1 observing each", callbacks: count, operations: count
      ) { ledger in
        let properties = (0..<count).map { _ in Self() }
        for (place, property) in properties.enumerated() {
          ledger.keep(Kept(property.observe { ledger.note($0, at: place) }))
        }
        return { passes in
          for value in 0..<passes { for property in properties { property.set(value) } }
        }
      }
    }

    static func registerAndEnd(others: Int = 0) -> Subject {
      let suffix = others == 0 ? "" : ", \(others) others"
      return Subject(
        "\(name), register + end" + suffix, callbacks: sendsCurrentValue ? 1 : 0
      ) { ledger in
        let property = Self()
        for place in 0..<others {
          ledger.keep(Kept(property.observe { ledger.note($0, at: place) }))
        }
        return { passes in
          for place in 0..<passes { end(property.observe { ledger.note($0, at: place) }) }
        }
      }
    }
  }
#endif
