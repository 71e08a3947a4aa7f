#if Peers
  /// A link of a path as another library has it.
  protocol PeerNode: AnyObject {
    associatedtype Token

    static var name: String { get }

    init()
    var node: Self? { get }
    func setNode(_ node: Self?)
    func setValue(_ value: Int)
    /// Observes the value so many links further, counting the value itself as one.
    func observe(depth: Int, _ handler: @escaping (Int?) -> Void) -> Token
    static func end(_ token: Token)
  }

  extension PeerNode {
    static func lastKeySet(depth: Int) -> Subject {
      Subject("\(name), path of \(depth), last key set", callbacks: 1) { ledger in
        let nodes = chain(depth)
        let last = nodes[depth - 1]
        ledger.keep(Kept(nodes))
        ledger.keep(Kept(nodes[0].observe(depth: depth) { ledger.note($0 ?? 0) }))
        return { passes in
          for value in 0..<passes { last.setValue(value) }
        }
      }
    }

    /// Lets the first link lead to two chains in turn.
    static func topLinkReplaced(depth: Int) -> Subject {
      Subject("\(name), path of \(depth), top link replaced", callbacks: 1) { ledger in
        let root = chain(depth)[0]
        let chains = [root.node, chain(depth - 1)[0]]
        ledger.keep(Kept(root.observe(depth: depth) { ledger.note($0 ?? 0) }))
        return { passes in
          for pass in 0..<passes { root.setNode(chains[~pass & 1]) }
        }
      }
    }

    static func registerAndEnd(depth: Int) -> Subject {
      Subject("\(name), path of \(depth), register + end", callbacks: 1) { ledger in
        let root = chain(depth)[0]
        return { passes in
          for _ in 0..<passes { end(root.observe(depth: depth) { ledger.note($0 ?? 0) }) }
        }
      }
    }

    private static func chain(_ count: Int) -> [Self] {
      let nodes = (0..<count).map { _ in Self() }
      for (node, next) in zip(nodes, nodes.dropFirst()) { node.setNode(next) }
      return nodes
    }
  }
#endif
