/// An element on its way from a setter to the tasks that receive it.
///
/// Of a class that is not generic, so that all that an element passes through is compiled once. Code for
/// elements of any type would look up the metadata of each type that it uses (row: values(of:)).
///
/// Whether the element may go to a task is checked where the sequence is used: it can be iterated in
/// another isolation than the one it was made in only if its elements are `Sendable`.
class AnyElement: @unchecked Sendable {  // opened by tasks, as described above
  /// The element for iterators that begin later; nil if it has held an object that is gone.
  var latest: AnyElement? { self }
}

/// An element that is kept until it has been received.
final class BoxedElement<Element>: AnyElement, @unchecked Sendable {  // as the class above
  let element: Element

  init(_ element: Element) {
    self.element = element
  }

  /// The element to keep for iterators that begin later.
  ///
  /// - `mayHoldObject`: Whether elements of the type may be objects.
  func lasting(mayHoldObject: Bool) -> AnyElement {
    guard mayHoldObject, let object = flatten(element), type(of: object) is AnyClass else {
      return self
    }
    return WeakElement<Element>(object as AnyObject)
  }
}

/// An object that is kept for iterators that begin later.
///
/// It is not retained. The property that holds it does that, or is weak, and then the object's
/// deallocation is a change that must not be prevented (P27).
private final class WeakElement<Element>: AnyElement, @unchecked Sendable {  // as the class above
  private let reference: WeakReference

  init(_ object: AnyObject) {
    reference = WeakReference(object)
  }

  override var latest: AnyElement? {
    (reference.target as? Element).map(BoxedElement<Element>.init)
  }
}
