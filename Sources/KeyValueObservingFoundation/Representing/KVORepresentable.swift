/// A type whose values can be made from the values that a property stores for them.
///
/// The spelling is that of RxCocoa, so that conformances need no change:
///
///     struct Money: KVORepresentable {
///       let cents: Int
///       init?(KVOValue: String) { … }
///     }
///
/// A type with a raw value needs no conformance to be read from that.
public protocol KVORepresentable {
  /// The type of what the property holds.
  associatedtype KVOType

  /// Creates a value from what the property holds, nil if there is none for it.
  ///
  /// - Parameter KVOValue: The value of the property.
  init?(KVOValue: KVOType)
}

extension KVORepresentable where Self: RawRepresentable {
  /// Creates a value from its raw value, nil if there is none for it.
  ///
  /// - Parameter KVOValue: The value of the property.
  public init?(KVOValue: RawValue) {
    self.init(rawValue: KVOValue)
  }
}
