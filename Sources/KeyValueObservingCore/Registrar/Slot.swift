/// One key of one object: what observers attach to, and what a recording of reads lists.
@usableFromInline
final class Slot {
  /// The context, which keeps the slot. Unmanaged, since a retain here would be paid by every set.
  let unmanagedContext: Unmanaged<Context>
  let name: KeyName
  // Exclusive because the lock of the context is held; checking it again would cost as much.
  @exclusivity(unchecked)
  var state = SlotState()
  /// Set once, before the slot is found by others: its class switched automatic notification off.
  let isManual: Bool
  /// The next slot of the same context.
  var next: Unmanaged<Slot>?

  init(context: Context, name: KeyName, isManual: Bool) {
    unmanagedContext = .passUnretained(context)
    self.name = name.kept()
    self.isManual = isManual
  }

  deinit {
    name.deallocate()
  }

  var context: Context { unmanagedContext.takeUnretainedValue() }
}

extension Slot {
  /// From now on the death of `target`, which a weak property holds, is a change of it.
  @usableFromInline
  func watch(_ target: AnyObject?, heldBy subject: some KeyValueObservable) {
    guard let property = subject.keyValueProperty(forKey: name.text) else { return }
    DeathWatch.watch(target, for: property, in: self, of: subject)
  }
}
