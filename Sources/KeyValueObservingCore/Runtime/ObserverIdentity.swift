/// The identity of an observer: its address, of which the observer may have been deallocated.
typealias ObserverIdentity = UnsafeRawPointer

/// Keeps the memory of an observer, but not the observer, so that no other one is given its address.
struct ReservedAddress {
  private unowned let observer: AnyObject

  init(of observer: AnyObject) {
    self.observer = observer
  }
}
