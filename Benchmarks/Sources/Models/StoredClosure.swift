// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A class that calls one stored closure after each change: manual observing.
public final class StoredClosure {
  public var count = 0 {
    didSet { onCount?(oldValue, count) }
  }
  public var text = "" {
    didSet { onText?(oldValue, text) }
  }
  public var block = Block() {
    didSet { onBlock?(oldValue, block) }
  }

  public var onCount: ((Int, Int) -> Void)?
  public var onText: ((String, String) -> Void)?
  public var onBlock: ((Block, Block) -> Void)?

  public init() {}
}
