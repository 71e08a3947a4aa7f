/// How the elements of an array changed.
public struct KeyValueElementsChange<Element> {
  /// The removals and insertions.
  ///
  /// A replaced element is removed and inserted at the same offset.
  public var difference: CollectionDifference<Element>

  /// Creates a change, for tests of code that takes one.
  ///
  /// - Parameter difference: The difference between the former and the new elements.
  @inlinable
  public init(difference: CollectionDifference<Element>) {
    self.difference = difference
  }

  /// An inserted or removed element.
  public struct Change {
    /// The index of the element: before the change if it was removed, after it if it was inserted.
    public var offset: Int

    /// The element.
    public var element: Element

    /// Creates a change of one element.
    ///
    /// - Parameters:
    ///   - offset: The index of the element.
    ///   - element: The element.
    public init(offset: Int, element: Element) {
      self.offset = offset
      self.element = element
    }
  }

  /// The inserted elements, in ascending order of their indexes after the change.
  public var insertions: [Change] { difference.insertions.map(Change.init) }

  /// The removed elements, in ascending order of their indexes before the change.
  public var removals: [Change] { difference.removals.map(Change.init) }
}

extension KeyValueElementsChange.Change {
  fileprivate init(_ change: CollectionDifference<Element>.Change) {
    switch change {
    case .insert(let offset, let element, _), .remove(let offset, let element, _):
      self.init(offset: offset, element: element)
    }
  }
}

extension KeyValueElementsChange: Sendable where Element: Sendable {}
extension KeyValueElementsChange.Change: Sendable where Element: Sendable {}
extension KeyValueElementsChange: Equatable where Element: Equatable {}
extension KeyValueElementsChange.Change: Equatable where Element: Equatable {}
