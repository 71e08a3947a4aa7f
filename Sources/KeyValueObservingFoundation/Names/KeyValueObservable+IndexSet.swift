#if !canImport(ObjectiveC)
  public import Foundation

  extension KeyValueObservable {
    /// Begins a manual change notification for elements of an array, with an `IndexSet`.
    ///
    /// The function is the library's own `willChange(_:valuesAt:for:)`. A plain mutation of the
    /// property before `didChange` is a change of its own; a mutation through a proxy needs neither
    /// call.
    ///
    /// - Parameters:
    ///   - kind: The kind of the change: insertion, removal or replacement.
    ///   - indexes: The indexes of the elements: before a removal, and after an insertion.
    ///   - keyPath: The key path of an array.
    public func willChange<Element>(
      _ kind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, [Element]>
    ) {
      willChange(kind, valuesAt: RangeSet(indexes.rangeView), for: keyPath)
    }

    /// Completes a manual change notification for elements of an array, with an `IndexSet`.
    ///
    /// Observers are notified on this thread, before the function returns, as by the library's own
    /// `didChange(_:valuesAt:for:)`.
    ///
    /// - Parameters:
    ///   - kind: The kind of the change: insertion, removal or replacement.
    ///   - indexes: The indexes of the elements: before a removal, and after an insertion.
    ///   - keyPath: The key path of an array.
    public func didChange<Element>(
      _ kind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, [Element]>
    ) {
      didChange(kind, valuesAt: RangeSet(indexes.rangeView), for: keyPath)
    }

    /// Begins a manual change notification for elements of the array that a key names.
    ///
    /// The function is the library's own `willChange(_:valuesAt:forKey:)`.
    ///
    /// - Parameters:
    ///   - kind: The kind of the change: insertion, removal or replacement.
    ///   - indexes: The indexes of the elements: before a removal, and after an insertion.
    ///   - key: The key of a property.
    public func willChange(
      _ kind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
      willChange(kind, valuesAt: RangeSet(indexes.rangeView), forKey: key)
    }

    /// Completes a manual change notification for elements of the array that a key names.
    ///
    /// Observers are notified as by the function that takes a key path.
    ///
    /// - Parameters:
    ///   - kind: The kind of the change: insertion, removal or replacement.
    ///   - indexes: The indexes of the elements: before a removal, and after an insertion.
    ///   - key: The key of a property.
    public func didChange(_ kind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String)
    {
      didChange(kind, valuesAt: RangeSet(indexes.rangeView), forKey: key)
    }
  }
#endif
