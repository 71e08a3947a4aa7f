public import CKeyValueObserving

/// Calls closures that stand next to each other in an audience and ask for the same, beginning with
/// the one whose turn it is in the delivery.
///
/// Made where the type of the property is known, and kept by the slot: code that is specialised for
/// the type is most of what makes one more observer cheap (row: each further observer).
// A structure, because an optional closure would be wrapped anew at each call.
@usableFromInline
struct FanOut {
  let call: (UnsafeMutablePointer<Delivery>) -> Void

  @usableFromInline
  init(_ call: @escaping (UnsafeMutablePointer<Delivery>) -> Void) {
    self.call = call
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// The `FanOut` of properties of a type.
  @inlinable
  func fanOut<Value>(_: Value.Type) {
    let place = pointee.cursor
    let kind = pointee.round.observers.unsafelyUnwrapped[Int(place)].kind
    let old =
      kind.demand.contains(.old)
      ? pointee.old?.assumingMemoryBound(to: Value.self).pointee : nil
    let new =
      kind.demand.contains(.new)
      ? pointee.new?.assumingMemoryBound(to: Value.self).pointee : nil
    _ = callClosures(of: kind, from: place, KeyValueChange(settingTo: new, from: old))
  }

  /// Calls the closure at a place, and those behind it up to the first place where there is none
  /// that asks for the same. Returns that place.
  @inlinable
  @inline(__always)
  func callClosures<Value>(
    of kind: Entry.Kind, from first: Int32, _ change: KeyValueChange<Value>
  ) -> Int32 {
    let end = pointee.round.closureCount
    var place = first
    var entry = pointee.round.observers.unsafelyUnwrapped + Int(first)
    pointee.subject._withUnsafeGuaranteedRef { subject in
      repeat {
        pointee.cursor = place
        // Whatever the class of its first parameter, a closure takes a reference. Called in place,
        // it is not retained for the call: the delivery keeps the place as it is.
        UnsafeRawPointer(entry).assumingMemoryBound(to: Handler<AnyObject, Value>.self)
          .pointee(subject, change)
        place &+= 1
        entry += 1
      } while place < end && pointee.isRunAllowed && entry.pointee.kind == kind
    }
    return place
  }

  /// Delivers a change that needs nothing but a call of each observer after it.
  ///
  /// This is `deliver()` where the type of the property is known, for the closures that ask for all
  /// that is asked for: mostly all there are (row: set with one observer).
  @inlinable
  @inline(__always)
  func deliverPlain<Value>(_ old: Value?, _ new: Value?) {
    let kind = Entry.Kind(closureDemanding: pointee.round.demand)
    guard pointee.round.observerCount > 0, !pointee.round.demand.contains(.root),
      pointee.round.observers.unsafelyUnwrapped.pointee.kind == kind
    else { return deliver(old, new) }
    let thread = kvo_thread().unsafelyUnwrapped
    guard thread.pointee.silenced == nil else { return deliver(old, new) }
    pointee.isRunAllowed = true
    let recording = enter(thread)
    let place = callClosures(of: kind, from: 0, KeyValueChange(settingTo: new, from: old))
    if place < pointee.round.observerCount || pointee.round.dependentCount > 0 {
      callOthers(old, new, from: place)
    }
    leave(thread, recording)
  }

  /// Delivers a change to whoever there is.
  @inlinable
  @inline(never)
  func deliver<Value>(_ old: Value?, _ new: Value?) {
    withAddress(of: old) { old in
      withAddress(of: new) { new in
        pointee.old = old
        pointee.new = new
        deliver()
      }
    }
  }

  /// Calls those from a place on.
  @inlinable
  @inline(never)
  func callOthers<Value>(_ old: Value?, _ new: Value?, from place: Int32) {
    withAddress(of: old) { old in
      withAddress(of: new) { new in
        pointee.old = old
        pointee.new = new
        runAfter(from: place)
      }
    }
  }
}
