// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import KeyValueObserving

/// A class with a collection of objects.
@KeyValueObservable
public final class Shelf {
  public var nodes: [Node] = []
  public var sum: Int { nodes.reduce(0) { $0 + $1.value } }

  public init(count: Int) {
    nodes = (0..<count).map { _ in Node() }
  }
}
