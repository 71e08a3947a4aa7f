// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import KeyValueObserving

/// An object that refers to a node and does not retain it.
@KeyValueObservable
public final class WeakLink {
  public weak var target: Node?

  public init(to target: Node?) {
    self.target = target
  }
}
