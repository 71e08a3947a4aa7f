/// A closure that is called where observers are called, for what is not a change of a property.
///
/// Made on an actor it is called and released there, in order (P40); made without one it is called
/// where the value comes from. Once it has ended it is not called again (P31).
package final class Recipient<Value>: @unchecked Sendable {  // `sink` is guarded by `lock`
  private let lock = Lock()
  private var sink: Sink<Recipient, Value>?
  private let queue: ActorQueue?

  package init(isolation: (any Actor)?, _ closure: @escaping (Value) -> Void) {
    var sink = Sink<Recipient, Value>(
      { _, change in if let value = change.newValue { closure(value) } }, options: .new)
    if let isolation { sink.bind(to: isolation) }
    self.sink = sink
    queue = isolation.map { ActorQueue.of($0) }
  }

  /// - `kept`: Returns the part of the value that may be kept until the actor has time, if it has
  ///   to be.
  package func send(_ value: Value, keeping kept: (Value) -> Value) {
    guard let handler = lock.withLock({ sink?.handler }) else { return }
    let isHeardNow = queue?.isOnActor ?? true
    handler(self, KeyValueChange(newValue: isHeardNow ? value : kept(value)))
  }

  /// Whether it has not ended.
  package var isActive: Bool { lock.withLock { sink != nil } }

  /// Ends it, and lets go of the closure.
  ///
  /// Returns false if it had ended.
  package func end() -> Bool {
    guard let ended = lock.withLock({ sink.take() }) else { return false }
    ended.aftermath?.ended()
    return true
  }
}
