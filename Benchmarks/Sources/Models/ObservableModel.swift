// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Observation

/// A class whose property is tracked by the module `Observation`.
@Observable
public final class ObservableModel: @unchecked Sendable {  // only one thread at a time uses it
  public var count = 0

  public init() {}
}
