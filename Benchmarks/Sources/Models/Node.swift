// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import KeyValueObserving

/// A link of a key path.
@KeyValueObservable
public final class Node {
  public var next: Node?
  public var value = 0

  public init() {}

  /// Makes a chain of so many nodes and returns its first.
  public init(count: Int) {
    if count > 1 { next = Node(count: count - 1) }
  }

  /// The node so many links further.
  public func node(at distance: Int) -> Node {
    var node = self
    for _ in 0..<distance { node = node.next! }
    return node
  }
}
