// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A class that calls an array of closures after each change: several manual observers.
public final class ClosureArray {
  public var count = 0 {
    didSet {
      for listener in listeners { listener(oldValue, count) }
    }
  }

  public var listeners: [(Int, Int) -> Void] = []

  public init() {}
}
