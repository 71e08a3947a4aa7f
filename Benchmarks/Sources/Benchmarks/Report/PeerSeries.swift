#if Peers
  /// The lines of the libraries that the trait `Peers` brings: of each, the fastest property.
  enum PeerSeries {
    static func set(_ figures: Figures) -> [Series] {
      func series(_ property: (some PeerProperty).Type) -> Series {
        Series(
          property.name, in: figures,
          [1, 10, 1000].map { (Double($0), property.set(observers: $0)) })
      }
      return [
        series(RxPublishProperty.self), series(CombineSubjectProperty.self),
        series(ReactiveProperty.self),
      ]
    }

    static func registerAndEnd(_ figures: Figures) -> [Series] {
      func series(_ property: (some PeerProperty).Type) -> Series {
        Series(
          property.name, in: figures,
          [0, 1000].map { (Double($0), property.registerAndEnd(others: $0)) })
      }
      return [
        series(RxPublishProperty.self), series(CombineSubjectProperty.self),
        series(ReactiveProperty.self),
      ]
    }

    static func lastKeySet(_ figures: Figures) -> [Series] {
      func series(_ node: (some PeerNode).Type) -> Series {
        Series(
          node.name, in: figures,
          KeyPaths.depths.map { (Double($0), node.lastKeySet(depth: $0)) })
      }
      return [series(RxNode.self), series(CombineNode.self), series(ReactiveNode.self)]
    }

    static func topLinkReplaced(_ figures: Figures) -> [Series] {
      func series(_ node: (some PeerNode).Type) -> Series {
        Series(
          node.name, in: figures,
          KeyPaths.depths.map { (Double($0), node.topLinkReplaced(depth: $0)) })
      }
      return [series(RxNode.self), series(CombineNode.self), series(ReactiveNode.self)]
    }
  }
#else
  /// Without the trait `Peers` nothing of other libraries was measured.
  enum PeerSeries {
    static func set(_ figures: Figures) -> [Series] { [] }
    static func registerAndEnd(_ figures: Figures) -> [Series] { [] }
    static func lastKeySet(_ figures: Figures) -> [Series] { [] }
    static func topLinkReplaced(_ figures: Figures) -> [Series] { [] }
  }
#endif
