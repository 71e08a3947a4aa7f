// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import KeyValueObserving

/// A class with observable properties of several types.
@KeyValueObservable
public final class Model {
  public var count = 0
  public var other = 0
  public var text = ""
  public var block = Block()
  public var items: [Int] = []

  public init() {}
}
