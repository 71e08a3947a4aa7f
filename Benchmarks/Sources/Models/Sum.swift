// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import KeyValueObserving

/// A class with a property that is computed from four others, and counts how often.
@KeyValueObservable
public final class Sum {
  public var first = 0
  public var second = 0
  public var third = 0
  public var fourth = 0

  @KeyValueIgnored public private(set) var evaluations = 0

  public var total: Int {
    evaluations &+= 1
    return first &+ second &+ third &+ fourth
  }

  public init() {}
}
