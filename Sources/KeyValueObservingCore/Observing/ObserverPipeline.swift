/// The destination of an observation's changes: the user's closure, wrapped as its options and its
/// actor require.
@usableFromInline
struct ObserverPipeline<Subject: AnyObject, Value> {
  @usableFromInline
  typealias Handler = (Subject, KeyValueChange<Value>) -> Void

  @usableFromInline
  var handler: Handler
  /// The options for the engine, which may be more than the user has given.
  @usableFromInline
  var options: KeyValueObservation.Options
  @usableFromInline
  var completion: ObservationCompletion?

  /// - `subjectDeallocated`: Is called when the source is deallocated.
  @inlinable
  init(
    _ handler: @escaping Handler, options: KeyValueObservation.Options,
    subjectDeallocated: (() -> Void)? = nil
  ) {
    self.handler = handler
    self.options = options
    completion = subjectDeallocated.map { SourceDeletion($0) }
  }

  /// Adds the filter for `distinct`, for values that can be compared, and returns it.
  ///
  /// - `read`: Reads the value that is observed, if there is one.
  @usableFromInline
  mutating func filter(
    of subject: Subject, reading read: @escaping (Subject) -> Value?
  ) -> DistinctFilter<Value>? {
    let value = ThreadState.pauseRecording { read(subject) }
    guard let filter = DistinctFilter(startingAt: value) else {
      options.remove(.distinct)
      return nil
    }
    let handler = self.handler
    let asked = options
    options.insert(.new)
    if filter.comparesElements {
      options.insert(.old)
      completion = DistinctCompletion(
        filter, of: WeakReference(subject), reading: read, inside: completion)
    }
    self.handler = { subject, change in
      let isPassedOver = ThreadState.current.takePassingOver()
      guard change.isPrior || filter.admits(change), !isPassedOver else { return }
      var change = change
      if !asked.contains(.new) { change.newValue = nil }
      if !asked.contains(.old) { change.oldValue = nil }
      handler(subject, change)
    }
    return filter
  }

  /// Makes the closure be called and released on an actor.
  ///
  /// - `receivesChanges`: Whether it is called with changes of a property.
  @usableFromInline
  mutating func bind(to actor: any Actor, receivesChanges: Bool = true) {
    let distinct = completion as? DistinctCompletion<Subject, Value>
    let delivery = ActorDelivery(
      actor, handler: Contents(handler), completion: distinct.map(\.inner) ?? completion)
    handler = { subject, change in
      // Taken before anything else that waits for the actor is called.
      let isPassedOver = ThreadState.current.takePassingOver()
      if delivery.arrive(isChange: receivesChanges) {
        Contents.call(delivery.handler, subject, change, isPassedOver: isPassedOver)
      } else if !change.isPrior, WeakReference(subject).isAlive {
        // Once the actor has time, the time before the change has passed: prior notifications are
        // dropped. So is a change that the object makes in its own `deinit`, because the object
        // cannot be retained.
        delivery.schedule { [unowned delivery] in
          Contents.call(delivery.handler, subject, change, isPassedOver: isPassedOver)
        }
      }
    }
    completion = distinct?.with(delivery) ?? delivery
  }

  // As the `AnyHandler` of `handler` would be, if the compiler knew `Subject` (row: string path of 2, register
  // + end).
  /// The handler, to be called with objects of which the class is not known there.
  func handlerOfAnyObject() -> AnyHandler where Value == Any? {
    AnyHandler { [handler] (subject: AnyObject, change: KeyValueChange<Any?>) in
      handler(unsafeDowncast(subject, to: Subject.self), change)
    }
  }

  private final class Contents {
    let handler: Handler

    init(_ handler: @escaping Handler) {
      self.handler = handler
    }

    static func call(
      _ contents: AnyObject?, _ subject: Subject, _ change: KeyValueChange<Value>,
      isPassedOver: Bool
    ) {
      guard let contents else { return }
      ThreadState.current.markingPassedOver(if: isPassedOver) {
        unsafeDowncast(contents, to: Contents.self).handler(subject, change)
      }
    }
  }
}
