/// A closure that is called where observers are called, for what is not a change of a property.
///
/// Made on an actor it is called and released there, in order (P40); made without one it is called
/// where the value comes from. Once it has ended it is not called again (P31).
package final class ActorRecipient<Value>: @unchecked Sendable {  // `pipeline` is guarded by `lock`
  private let lock = Lock()
  private var pipeline: ObserverPipeline<ActorRecipient, Value>?
  private let queue: ActorQueue?

  package init(isolation: (any Actor)?, _ closure: @escaping (Value) -> Void) {
    var pipeline = ObserverPipeline<ActorRecipient, Value>(
      { _, change in if let value = change.newValue { closure(value) } }, options: .new)
    if let isolation { pipeline.bind(to: isolation, receivesChanges: false) }
    self.pipeline = pipeline
    queue = isolation.map { ActorQueue.of($0) }
  }

  /// - `kept`: Returns the part of the value that may be kept until the actor has time, if it has
  ///   to be.
  package func send(_ value: Value, keeping kept: (Value) -> Value) {
    guard let handler = lock.withLock({ pipeline?.handler }) else { return }
    let isReceivedNow = queue?.isOnActor ?? true
    handler(self, KeyValueChange(newValue: isReceivedNow ? value : kept(value)))
  }

  /// Whether it has not ended.
  package var isActive: Bool { lock.withLock { pipeline != nil } }

  /// Ends it, and lets go of the closure.
  ///
  /// Returns false if it had ended.
  package func end() -> Bool {
    guard let ended = lock.withLock({ pipeline.take() }) else { return false }
    ended.completion?.ended()
    return true
  }
}
