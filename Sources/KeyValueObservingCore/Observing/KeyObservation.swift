/// An observation of a single key.
@usableFromInline
final class KeyObservation<Subject: AnyObject, Value>: Attachment {
  @usableFromInline
  typealias Handler = (Subject, KeyValueChange<Value>) -> Void

  @usableFromInline
  let options: KeyValueObservation.Options
  @usableFromInline
  let handler: Handler
  private let aftermath: Aftermath?

  @usableFromInline
  init(
    options: KeyValueObservation.Options, handler: @escaping Handler, aftermath: Aftermath?,
    receive: @escaping Receive
  ) {
    self.options = options
    self.handler = handler
    self.aftermath = aftermath
    super.init(demand: Demand(options), receive: receive)
  }

  /// Makes the change of a delivery whose values are of this observation's type.
  @inlinable
  static func receive(
    _ attachment: Attachment, _ delivery: UnsafeMutablePointer<Delivery>
  ) {
    let observation = unsafeDowncast(attachment, to: KeyObservation.self)
    guard let isPrior = observation.isPrior(delivery.pointee.phase) else { return }
    let old =
      observation.options.contains(.old)
      ? delivery.pointee.old?.assumingMemoryBound(to: Value.self).pointee : nil
    let new =
      !isPrior && observation.options.contains(.new)
      ? delivery.pointee.new?.assumingMemoryBound(to: Value.self).pointee : nil
    delivery.pointee.subject._withUnsafeGuaranteedRef { subject in
      observation.handler(
        unsafeDowncast(subject, to: Subject.self),
        KeyValueChange(settingTo: new, from: old, isPrior: isPrior))
    }
  }

  /// Whether a phase is heard as a prior; nil if it is not heard.
  @inlinable
  func isPrior(_ phase: Delivery.Phase) -> Bool? {
    switch phase {
    case .after: false
    case .prior: options.contains(.prior) ? true : nil
    case .will, .settle, .abandon: nil
    }
  }

  override func subjectDied() {
    markEnded()
    aftermath?.subjectDied()
  }

  override func didEnd() {
    aftermath?.ended()
  }
}

/// What happens when an observation is over.
@usableFromInline
class Aftermath {
  /// The observation was ended.
  func ended() {}
  /// The subject died, which ended it.
  func subjectDied() {}
}

/// Tells an observer with reasons that its source is gone (P33).
final class SourceDeletion: Aftermath {
  private let tell: () -> Void

  init(_ tell: @escaping () -> Void) {
    self.tell = tell
  }

  override func subjectDied() { tell() }
}
