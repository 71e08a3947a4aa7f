/// Passes what happens in the setters of a property to the tasks that wait for it.
struct Multicast<Element>: Sendable {
  let base: AnyMulticast
  private let keepsLast: Bool
  /// Whether elements may be objects, which are not retained for iterators that begin later.
  private let mayHoldObjects: Bool

  /// - `keepsLast`: Whether an iterator that is not the first begins with the element that was
  ///   sent last.
  init(_ policy: ElementBuffer<Element>.Policy, keepsLast: Bool) {
    let basePolicy: ElementBuffer<AnyElement>.Policy =
      switch policy {
      case .bufferingOldest(let limit): .bufferingOldest(limit)
      case .bufferingNewest(let limit): .bufferingNewest(limit)
      default: .unbounded
      }
    base = AnyMulticast(basePolicy, keepsLast: keepsLast)
    self.keepsLast = keepsLast
    let type = unwrappedType(Element.self)
    mayHoldObjects = type is AnyClass || isExistential(type)
  }

  /// Gives an element to every iterator.
  ///
  /// Returns its number if elements come from several threads.
  @discardableResult
  func send(_ element: Element) -> Int? {
    let boxed = BoxedElement(element)
    return base.send(boxed, keeping: record(of: boxed))
  }

  /// Gives an element to every iterator, unless another one was sent after that with a number.
  func send(_ element: Element, ifNothingFollowed number: Int) {
    let boxed = BoxedElement(element)
    base.send(boxed, keeping: record(of: boxed), ifNothingFollowed: number)
  }

  /// Puts an element in front of all others, before there is an iterator.
  func begin(with element: Element) {
    let boxed = BoxedElement(element)
    base.begin(with: boxed, keeping: record(of: boxed))
  }

  private func record(of boxed: BoxedElement<Element>) -> AnyElement? {
    keepsLast ? boxed.lasting(mayHoldObject: mayHoldObjects) : nil
  }

  /// The element of a boxed that was sent here.
  static func open(_ boxed: AnyElement) -> Element {
    unsafeDowncast(boxed, to: BoxedElement<Element>.self).element
  }
}
