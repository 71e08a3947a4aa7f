// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A value of 40 bytes, too big to travel in an existential without a box.
public struct Block {
  public var first = 0
  public var second = 0
  public var third = 0
  public var fourth = 0
  public var fifth = 0

  public init(first: Int = 0) {
    self.first = first
  }
}
