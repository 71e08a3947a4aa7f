/// An array property of an object, whose elements it changes one edit at a time.
///
/// Its edits tell observers of the property what was inserted, removed or replaced, and where: the
/// change has the ``KeyValueChange/kind`` and the ``KeyValueChange/indexes``, and its values are the
/// elements concerned alone (P35). Each edit is one change, delivered synchronously before the method
/// returns, to observers who came before or after the proxy was made. An edit that changes nothing
/// says nothing; replacing an element by an equal one is a replacement (P9).
///
/// It keeps the object, and shows the array as it is at any time. After `mutableArrayValue` of
/// Apple's KVO.
public struct KeyValueMutableArray<Element> {
  let access: CollectionAccess<[Element]>

  /// Makes one edit of the array.
  ///
  /// - Parameter plan: Says what is to be done to the array as it is. It is asked again if a prior
  ///   callback has changed something.
  func edit(_ plan: ([Element]) -> ArrayEdit<Element>?) {
    var planned: ArrayEdit<Element>?
    access.change(
      {
        planned = plan(access.value())
        return planned.map(announcement)
      },
      { if let planned { access.mutate { planned.apply(to: &$0) } } })
  }

  /// What observers are told of an edit.
  private func announcement(of edit: ArrayEdit<Element>) -> PlannedChange {
    let description = Edit(edit.kind, at: edit.indexes)
    let formerly = { ValueBox(access.value().elements(at: edit.indexes)) }
    switch edit {
    case .insertion(_, let elements):
      return PlannedChange(edit: description, old: nil, new: { ValueBox(elements) })
    case .removal:
      return PlannedChange(edit: description, old: formerly, new: nil)
    case .replacement(_, let elements):
      return PlannedChange(edit: description, old: formerly, new: { ValueBox(elements) })
    }
  }
}

extension KeyValueObservable {
  /// Returns a proxy for an array property, whose edits tell observers which elements changed.
  ///
  /// - Parameter keyPath: The property. A path of several links belongs to the object that is at its
  ///   end now.
  ///
  /// Complexity: O(1) for a property. An edit takes time in proportion to the elements that it moves
  /// or changes where the property is spelled as an array (`[String]`), and copies the array else.
  public func mutableArrayValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, [Element]>
  ) -> KeyValueMutableArray<Element> {
    KeyValueMutableArray(access: CollectionAccess(to: keyPath, of: self))
  }
}

// MARK: Reading

extension KeyValueMutableArray: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { access.value().count }

  /// The element at a place. Assigning is one replacement.
  ///
  /// A place that is outside of the array is a mistake of the program and traps, like that of an
  /// array.
  public subscript(place: Int) -> Element {
    get { access.value()[place] }
    nonmutating set { replace(at: RangeSet(place..<(place + 1)), with: [newValue]) }
  }
}
