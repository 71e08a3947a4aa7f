#if !canImport(ObjectiveC)
  public import Foundation

  /// One change of an observed value, in the form of Cocoa's `observe`.
  ///
  /// It is a `KeyValueChange` without the reason and with an `IndexSet`. A value that was not
  /// requested is absent; a value that is nil is present and nil (P2).
  public struct NSKeyValueObservedChange<Value> {
    /// Cocoa's name for the type of ``kind``.
    public typealias Kind = NSKeyValueChange

    /// How the value changed.
    public let kind: Kind
    /// The value after the change, if `new` was requested.
    ///
    /// A prior has none.
    public let newValue: Value?
    /// The value before the change, if `old` was requested.
    ///
    /// The initial change has none.
    public let oldValue: Value?
    /// The indexes of the elements that changed, for element changes of ordered collections.
    public let indexes: IndexSet?
    /// Whether the change is about to be made.
    public let isPrior: Bool

    /// Creates Cocoa's form of a change.
    ///
    /// - Parameter change: The change to represent.
    ///
    /// - Complexity: O(*n*) in the number of ranges of indexes.
    public init(_ change: KeyValueChange<Value>) {
      kind = change.kind
      newValue = change.newValue
      oldValue = change.oldValue
      indexes = change.indexes.map { IndexSet(places: $0) }
      isPrior = change.isPrior
    }
  }

  extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
#endif
