#if !canImport(ObjectiveC)
  public import Foundation

  extension KeyValueObservable {
    /// Says that elements of an array are about to change, with their places as Cocoa names them.
    ///
    /// It is the library's own `willChange(_:valuesAt:for:)`. A plain mutation of the property before
    /// `didChange` is a change of its own; the edit of a proxy needs neither call.
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

    /// Says that elements of an array have changed, with their places as Cocoa names them.
    ///
    /// Who observes it is told on this thread, before this returns, as by the library's own
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

    /// Says that elements of the array that a key names are about to change.
    ///
    /// It is the library's own `willChange(_:valuesAt:forKey:)`, as with a key path.
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

    /// Says that elements of the array that a key names have changed.
    ///
    /// Who observes it is told as with a key path.
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
