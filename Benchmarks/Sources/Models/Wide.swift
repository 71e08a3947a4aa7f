// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import KeyValueObserving

/// A class with one property and with any other key, so that many keys of an object can be observed.
@KeyValueObservable
public final class Wide {
  public var count = 0

  public init() {}

  public static var hasDynamicKeys: Bool { true }

  public func keyValueProperty(forKey key: String) -> KeyValueProperty? {
    if key == "count" { return Self.keyValueProperties().first }
    return .entry(key, of: Wide.self, get: { _ in nil }, set: { _, _ in })
  }
}
