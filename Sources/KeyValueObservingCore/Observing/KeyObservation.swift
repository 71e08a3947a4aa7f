/// An observation of a single key that receives more than did-change notifications.
@usableFromInline
class KeyObservation<Subject: AnyObject, Value>: Registration {
  @usableFromInline
  typealias Handler = (Subject, KeyValueChange<Value>) -> Void

  @usableFromInline
  final let handler: Handler
  @usableFromInline
  final let storedCompletion: ObservationCompletion?

  @inlinable
  init(
    options: KeyValueObservation.Options, handler: @escaping Handler,
    completion: ObservationCompletion?,
    receive: @escaping Receive
  ) {
    self.handler = handler
    storedCompletion = completion
    super.init(needs: ObserverNeeds(options), receive: receive)
  }

  /// Makes the change of a delivery whose values are of this observation's type.
  @inlinable
  final class func receive(
    _ registration: Registration, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let observation = unsafeDowncast(registration, to: KeyObservation.self)
    let needs = registration.needs
    let isPrior = delivery.pointee.phase == .prior
    let old =
      needs.contains(.old)
      ? delivery.pointee.old?.assumingMemoryBound(to: Value.self).pointee : nil
    let new =
      !isPrior && needs.contains(.new)
      ? delivery.pointee.new?.assumingMemoryBound(to: Value.self).pointee : nil
    let change = KeyValueChange<Value>(
      settingTo: new, from: old, isPrior: isPrior, edit: delivery.pointee.edit)
    delivery.pointee.subject._withUnsafeGuaranteedRef { subject in
      observation.handler(unsafeDowncast(subject, to: Subject.self), change)
    }
  }

  override final var completion: ObservationCompletion? { storedCompletion }

  override func subjectDeallocated() {
    markEnded()
    completion?.subjectDeallocated()
  }
}

/// An observation of a single key that receives its values as `Any?`.
final class AnyKeyObservation<Subject: AnyObject>: KeyObservation<Subject, Any?> {
  private let property: KeyValueProperty

  init(_ property: KeyValueProperty, _ pipeline: ObserverPipeline<Subject, Any?>) {
    self.property = property
    super.init(
      options: pipeline.options, handler: pipeline.handler, completion: pipeline.completion,
      receive: { unsafeDowncast($0, to: AnyKeyObservation.self).receive($1) })
  }

  @inline(__always)
  private func receive(_ delivery: UnsafeMutablePointer<Delivery>) {
    let isPrior = delivery.pointee.phase == .prior
    let old = needs.contains(.old) ? delivery.pointee.old : nil
    let new = !isPrior && needs.contains(.new) ? delivery.pointee.new : nil
    AnyChange.with(
      from: old, to: new, isPrior: isPrior, edit: delivery.pointee.edit, erasing: property.erase
    ) { change in
      delivery.pointee.subject._withUnsafeGuaranteedRef { subject in
        handler(unsafeDowncast(subject, to: Subject.self), change)
      }
    }
  }
}

extension KeyValueProperty {
  /// The closure of an observer list that calls a handler with values of type `Any?`.
  func handler<Subject: AnyObject>(
    erasingFor handler: @escaping (Subject, KeyValueChange<Any?>) -> Void
  ) -> AnyHandler {
    if valueType == Any?.self {
      return AnyHandler { (subject: Subject, change: KeyValueChange<Any?>) in
        if change.holdsOptionals {
          var flat = change
          flat.newValue = change.newValue.map { $0.flatMap { flatten($0) } }
          flat.oldValue = change.oldValue.map { $0.flatMap { flatten($0) } }
          handler(subject, flat)
        } else {
          handler(subject, change)
        }
      }
    }
    return AnyHandler(takingAddress: { [accessor] subject, change in
      accessor.operations.withValues(of: change) { old, new, edit in
        AnyChange.with(
          from: old, to: new, edit: edit.map { .passUnretained($0) },
          erasing: { accessor.operations.erase($0) }
        ) {
          handler(unsafeDowncast(subject, to: Subject.self), $0)
        }
      }
    })
  }
}
