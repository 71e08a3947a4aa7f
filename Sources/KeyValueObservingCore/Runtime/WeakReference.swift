internal import CKeyValueObserving

/// A reference that does not retain its object and reads as nil once its end has begun, like a weak
/// one.
///
/// Unlike a weak one it does not slow the object down.
package struct WeakReference {
  #if canImport(ObjectiveC)
    // The object may be one of Objective-C, whose references are counted elsewhere.
    private weak var object: AnyObject?

    package init(_ object: AnyObject) {
      self.object = object
    }

    package var target: AnyObject? { object }

    /// Whether the end of its object has not begun.
    var isAlive: Bool { object != nil }

    func isReference(to object: AnyObject) -> Bool { self.object === object }
  #else
    /// Keeps the memory of the object, of which nothing but the address is used.
    private unowned let object: AnyObject
    private let address: UnsafeMutableRawPointer

    package init(_ object: AnyObject) {
      self.object = object
      address = Unmanaged.passUnretained(object).toOpaque()
    }

    package var target: AnyObject? {
      kvo_try_retain(address).map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
    }

    /// Whether the end of its object has not begun, which is asked without retaining the object.
    var isAlive: Bool { !kvo_is_deallocating(address) }

    /// Whether it refers to an object, which is asked without retaining the object.
    func isReference(to object: AnyObject) -> Bool {
      address == Unmanaged.passUnretained(object).toOpaque()
    }
  #endif
}

/// Whether the deinitializer of an object has begun, so that no reference leads to it any more.
@inline(__always)
func isDeallocating(_ object: Unmanaged<AnyObject>) -> Bool {
  #if canImport(ObjectiveC)
    object._withUnsafeGuaranteedRef { WeakReference($0).target == nil }
  #else
    kvo_is_deallocating(object.toOpaque())
  #endif
}

extension WeakReference: CustomReflectable {
  /// An empty mirror: inspecting an unowned reference traps once its object is deallocated, as
  /// `dump` and a failed `#expect` would.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
