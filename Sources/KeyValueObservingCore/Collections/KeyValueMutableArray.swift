/// An array property of an object, whose elements it changes one edit at a time.
///
/// Its edits tell observers of the property what was inserted, removed or replaced, and where: the
/// change has the ``KeyValueChange/kind`` and the ``KeyValueChange/indexes``, and its values are the
/// elements concerned alone (P35). Each edit is one change, delivered synchronously before the method
/// returns, to observers who came before or after the proxy was made. An edit that changes nothing
/// says nothing; replacing an element by an equal one is a replacement (P9).
///
/// An edit at places that the array does not have is a mistake of the program, and stops it as one
/// of an array does, before any observer is notified. An observer of prior notifications may change the array
/// before the edit is made, which is worked out anew then. Where its places are gone, nothing is done,
/// and a diagnostic says so.
///
/// It keeps the object, and shows the array as it is at any time. After `mutableArrayValue` of
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
  /// Returns a proxy for an array property, whose edits tell observers which elements changed.
  ///
  /// - Parameter keyPath: The property. A path of several links belongs to the object that is at its
  ///   end now.
  /// - Returns: A proxy for the array.
  ///
  /// - Complexity: O(1) for a property. An edit takes time in proportion to the elements that it moves
  ///   or changes where the property is spelled as an array (`[String]`), and copies the array else.
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

  /// The element at a place.
  ///
  /// Assigning is one replacement.
  ///
  /// A place that is outside of the array is a mistake of the program and traps, like that of an
  /// array.
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
