// Changes of the last key of a path, whose value is that of the path.
extension KeyPathObservation {
  /// Erases the values of a property and hands them over, since a copy of each takes as long.
  func notify(
    _ property: Unmanaged<KeyValueProperty>, _ delivery: UnsafeMutablePointer<Delivery>,
    of subject: AnyObject, isPrior: Bool
  ) {
    withUnsafeTemporaryAllocation(of: Any?.self, capacity: 2) { memory in
      var values = ChangedValues(edit: delivery.pointee.edit, areGiven: true)
      if options.contains(.old), let old = delivery.pointee.old {
        memory.initializeElement(
          at: 0, to: property._withUnsafeGuaranteedRef { $0.erase(old) })
        values.old = UnsafeRawPointer(memory.baseAddress)
      }
      if options.contains(.new), let new = delivery.pointee.new {
        memory.initializeElement(
          at: 1, to: property._withUnsafeGuaranteedRef { $0.erase(new) })
        values.new = UnsafeRawPointer(memory.baseAddress.map { $0 + 1 })
      }
      operations.call(handler, options, subject, values, .valueChanged, isPrior)
    }
  }

  /// Makes the value that the last key has got the old one of changes of the path that have begun before it, and are
  /// made when a mutation block or a setter ends.
  @inline(never)
  func passOnLeaf(
    _ leaf: LeafValue, _ delivery: UnsafeMutablePointer<Delivery>, _ subject: AnyObject
  ) {
    passOn(value(after: delivery, of: leaf, subject), of: delivery.pointee.number)
  }

  func deferLeafChange(
    _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue
  ) {
    guard let change = beginChange(with: delivery) else { return }
    keepValues(of: delivery, leaf, in: change)
    if change.result == nil {
      readValue(behind: change) { value(after: delivery, of: leaf, $0) }
    }
    change.lastChangeInOld = change.number
    deferDelivery(of: change)
    noteDeferral(of: delivery)
  }

  func keepValues(
    of delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue, in change: DerivedChange
  ) {
    leaf.withValues(delivery.pointee.old, delivery.pointee.new) { old, new in
      change.old = old.map { operations.box($0) }
      change.new = new.map { operations.box($0) }
    }
    change.edit = delivery.pointee.edit?.takeUnretainedValue()
  }

  /// Whether the edit of a computed collection alone leads from the one that was delivered last to the present one: not if
  /// a setter has led the path to the key once more, or a block of an input is open.
  func isEdit(
    of change: DerivedChange, _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue
  ) -> Bool {
    if change.lastChangeInOld == change.capturedAfter { return true }
    guard let edit = delivery.pointee.edit?.takeUnretainedValue(),
      let former = change.old, let present = change.new ?? change.valueBehind
    else { return false }
    var isResult = false
    leaf.withValues(delivery.pointee.old, delivery.pointee.new) { old, new in
      isResult = present.isResult(
        of: edit, on: former, removed: old.map { operations.box($0) },
        added: new.map { operations.box($0) })
    }
    return isResult
  }
}
