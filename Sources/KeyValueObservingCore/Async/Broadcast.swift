/// Passes what happens in the setters of a property to the tasks that wait for it.
struct Broadcast<Element>: Sendable {
  let parcels: ParcelBroadcast
  private let keepsLast: Bool
  /// Whether elements may be objects, which are not retained for iterators that begin later.
  private let mayHoldObjects: Bool

  /// - `keepsLast`: Whether an iterator that is not the first begins with the element that was
  ///   sent last.
  init(_ policy: ElementBuffer<Element>.Policy, keepsLast: Bool) {
    let parcelPolicy: ElementBuffer<Parcel>.Policy =
      switch policy {
      case .bufferingOldest(let limit): .bufferingOldest(limit)
      case .bufferingNewest(let limit): .bufferingNewest(limit)
      default: .unbounded
      }
    parcels = ParcelBroadcast(parcelPolicy, keepsLast: keepsLast)
    self.keepsLast = keepsLast
    let type = unwrappedType(Element.self)
    mayHoldObjects = type is AnyClass || isExistential(type)
  }

  /// Gives an element to every iterator.
  ///
  /// Returns its number if elements come from several threads.
  @discardableResult
  func send(_ element: Element) -> Int? {
    let parcel = ElementParcel(element)
    return parcels.send(parcel, keeping: record(of: parcel))
  }

  /// Gives an element to every iterator, unless another one was sent after that with a number.
  func send(_ element: Element, ifNothingFollowed number: Int) {
    let parcel = ElementParcel(element)
    parcels.send(parcel, keeping: record(of: parcel), ifNothingFollowed: number)
  }

  /// Puts an element in front of all others, before there is an iterator.
  func begin(with element: Element) {
    let parcel = ElementParcel(element)
    parcels.begin(with: parcel, keeping: record(of: parcel))
  }

  private func record(of parcel: ElementParcel<Element>) -> Parcel? {
    keepsLast ? parcel.lasting(mayHoldObject: mayHoldObjects) : nil
  }

  /// The element of a parcel that was sent here.
  static func open(_ parcel: Parcel) -> Element {
    unsafeDowncast(parcel, to: ElementParcel<Element>.self).element
  }
}
