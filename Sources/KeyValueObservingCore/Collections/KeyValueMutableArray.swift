/// A proxy for an array property of an object, each of whose mutations is one change.
///
/// Observers of the property are notified of the elements that were inserted, removed or replaced:
/// the change has the ``KeyValueChange/kind`` and the ``KeyValueChange/indexes``, and its values
/// are only the elements concerned (P35). Changes are delivered synchronously before the method
/// returns, to observers added before or after the proxy was made. A mutation that changes nothing
/// sends no notification; replacing an element by an equal one is a replacement (P9).
///
/// A mutation at indexes that the array does not have is a programming error, and traps as that of
/// an array does, before any observer is notified. An observer of prior notifications may change
/// the array before the mutation is made, which is then planned again. If its indexes no longer
/// exist, nothing is changed, and a diagnostic is reported.
///
/// The proxy retains the object, and always shows the current array. After `mutableArrayValue` of
/// Apple's KVO.
public struct KeyValueMutableArray<Element> {
  @usableFromInline
  let access: ArrayAccess<Element>

  @usableFromInline
  init(_ access: ArrayAccess<Element>) {
    self.access = access
  }
}

extension KeyValueObservable {
  /// Returns a proxy for an array property, whose mutations notify observers of single elements.
  ///
  /// - Parameter keyPath: The property. If the path leads through other objects, the proxy belongs
  ///   to the object that is at its end now.
  /// - Returns: A proxy for the array.
  ///
  /// - Complexity: O(1) for a property. A mutation takes time in proportion to the elements that it
  ///   moves or changes if the property is declared as an array (`[String]`); otherwise it copies
  ///   the array.
  @inlinable
  public func mutableArrayValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, [Element]>
  ) -> KeyValueMutableArray<Element> {
    KeyValueMutableArray(CollectionAccess(to: keyPath, of: self).arrayAccess())
  }
}

extension KeyValueMutableArray: CustomStringConvertible {
  /// The elements, as an array shows them.
  public var description: String { access.elements().description }
}

// MARK: Reading

extension KeyValueMutableArray: RandomAccessCollection {
  /// The index of the first element.
  @inlinable
  public var startIndex: Int { 0 }

  /// The index behind the last element.
  @inlinable
  public var endIndex: Int { access.count() }
  // `Collection` would read the array more than once, which another thread may replace meanwhile.
  /// The number of elements.
  @inlinable
  public var count: Int { access.count() }

  /// The element at an index.
  ///
  /// Assigning is one replacement.
  ///
  /// An index outside of the array is a programming error and traps, like that of an array.
  ///
  /// - Parameter place: The index of an element.
  @inlinable
  public subscript(place: Int) -> Element {
    get { access.element(place) }
    nonmutating set {
      change(ArrayEdit(Edit(.replacement, at: place..<(place + 1)), bringing: [newValue]))
    }
  }

  /// Iterates over the elements that are there when it is made.
  public func makeIterator() -> [Element].Iterator { access.elements().makeIterator() }
}

extension KeyValueMutableArray: MemberCollection {
  var members: Members { Members(access.elements().map { flatten($0) }, as: .array) }

  /// A proxy stands for a property that a value does not have.
  init?(converting members: Members) { nil }
}
