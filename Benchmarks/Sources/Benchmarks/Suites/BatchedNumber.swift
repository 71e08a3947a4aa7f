/// Changes that a program delivers together without a library: it notes which numbers have changed.
final class HandBatch {
  fileprivate var changed: [BatchedNumber] = []
  fileprivate var isRunning = false

  /// Runs `body`, and then calls the closures of the numbers that it has changed.
  func run(_ body: () -> Void) {
    isRunning = true
    body()
    isRunning = false
    for number in changed { number.deliver() }
    changed.removeAll(keepingCapacity: true)
  }
}

/// A number with a closure that receives its old and its new value.
final class BatchedNumber {
  private let batch: HandBatch
  private let handler: (_ old: Int, _ new: Int) -> Void
  private var former: Int?

  var value = 0 {
    didSet {
      if !batch.isRunning { return handler(oldValue, value) }
      if former != nil { return }
      former = oldValue
      batch.changed.append(self)
    }
  }

  init(in batch: HandBatch, _ handler: @escaping (_ old: Int, _ new: Int) -> Void) {
    self.batch = batch
    self.handler = handler
  }

  fileprivate func deliver() {
    guard let old = former else { return }
    former = nil
    handler(old, value)
  }
}
