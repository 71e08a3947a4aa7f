/// The element that was sent last, kept for iterators that begin later.
///
/// An object is not retained. The property that holds it does that, or is weak, and then the
/// object's deallocation is a change that must not be prevented (P27).
enum LastElement<Element> {
  case value(Element)
  case object(WeakReference)

  init(_ element: Element) {
    let type = unwrappedType(Element.self)
    if type is AnyClass || isExistential(type), let object = flatten(element),
      Swift.type(of: object) is AnyClass
    {
      self = .object(WeakReference(object as AnyObject))
    } else {
      self = .value(element)
    }
  }

  /// The element, or nil if it was an object that is gone.
  var element: Element? {
    switch self {
    case .value(let element): element
    case .object(let reference): reference.target as? Element
    }
  }
}
