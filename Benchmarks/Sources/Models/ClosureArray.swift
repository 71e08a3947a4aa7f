// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A class that tells an array of closures of each change: several observers, done by hand.
public final class ClosureArray {
  public var count = 0 {
    didSet {
      for listener in listeners { listener(oldValue, count) }
    }
  }

  public var listeners: [(Int, Int) -> Void] = []

  public init() {}
}
