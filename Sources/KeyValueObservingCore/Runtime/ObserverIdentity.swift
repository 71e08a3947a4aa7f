/// The identity of an observer: its address, of which the observer may have been deallocated.
typealias ObserverIdentity = UnsafeRawPointer
