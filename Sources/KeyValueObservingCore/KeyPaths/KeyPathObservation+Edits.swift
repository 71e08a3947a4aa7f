extension KeyPathObservation {
  /// Whether an edit of a computed collection is all that happens to the one that was delivered last: a setter may have
  /// led the path to the key once more, or a block of an input is open.
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
