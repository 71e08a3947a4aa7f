// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A class with a plain stored property: what a property costs that nobody can observe.
public final class Stored {
  public var count = 0
  public var items: [Int] = []

  public init() {}
}
