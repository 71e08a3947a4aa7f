// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A class with a plain stored property: the cost of a property that cannot be observed.
public final class Stored {
  public var count = 0
  public var items: [Int] = []

  public init() {}
}
