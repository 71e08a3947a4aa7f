/// An observation of a single key that receives more than did-change notifications.
@usableFromInline
class KeyObservation<Subject: AnyObject, Value>: Attachment {
  @usableFromInline
  typealias Handler = (Subject, KeyValueChange<Value>) -> Void

  @usableFromInline
  final let handler: Handler
  @usableFromInline
  final let aftermath: Aftermath?

  @inlinable
  init(
    options: KeyValueObservation.Options, handler: @escaping Handler, aftermath: Aftermath?,
    receive: @escaping Receive
  ) {
    self.handler = handler
    self.aftermath = aftermath
    super.init(demand: Demand(options), receive: receive)
  }

  /// Makes the change of a delivery whose values are of this observation's type.
  @inlinable
  final class func receive(
    _ attachment: Attachment, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let observation = unsafeDowncast(attachment, to: KeyObservation.self)
    let demand = attachment.demand
    let isPrior = delivery.pointee.phase == .prior
    let old =
      demand.contains(.old)
      ? delivery.pointee.old?.assumingMemoryBound(to: Value.self).pointee : nil
    let new =
      !isPrior && demand.contains(.new)
      ? delivery.pointee.new?.assumingMemoryBound(to: Value.self).pointee : nil
    let change = KeyValueChange<Value>(
      settingTo: new, from: old, isPrior: isPrior, edit: delivery.pointee.edit)
    delivery.pointee.subject._withUnsafeGuaranteedRef { subject in
      observation.handler(unsafeDowncast(subject, to: Subject.self), change)
    }
  }

  override var outlivesSubject: Bool { aftermath?.mayBeLate ?? false }

  override func subjectDied() {
    markEnded()
    aftermath?.subjectDied()
  }

  override func didEnd() {
    aftermath?.ended()
  }
}

/// An observation of a single key that receives its values as `Any?`.
final class ErasedKeyObservation<Subject: AnyObject>: KeyObservation<Subject, Any?> {
  private let property: KeyValueProperty

  init(_ property: KeyValueProperty, _ sink: Sink<Subject, Any?>) {
    self.property = property
    super.init(
      options: sink.options, handler: sink.handler, aftermath: sink.aftermath,
      receive: { unsafeDowncast($0, to: ErasedKeyObservation.self).receive($1) })
  }

  private func receive(_ delivery: UnsafeMutablePointer<Delivery>) {
    let isPrior = delivery.pointee.phase == .prior
    let old = demand.contains(.old) ? delivery.pointee.old : nil
    let new = !isPrior && demand.contains(.new) ? delivery.pointee.new : nil
    delivery.pointee.subject._withUnsafeGuaranteedRef { subject in
      ErasedChange.with(
        settingTo: new.map { property.erase($0) }, from: old.map { property.erase($0) },
        isPrior: isPrior, edit: delivery.pointee.edit
      ) {
        handler(unsafeDowncast(subject, to: Subject.self), $0)
      }
    }
  }
}
