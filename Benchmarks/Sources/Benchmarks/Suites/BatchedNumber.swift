/// Changes that a program delivers together without a library: it notes which numbers have changed.
final class HandBatch {
  /// Whether it could take the changes back.
  fileprivate let recordsUndo: Bool
  fileprivate var changed: [BatchedNumber] = []
  /// Put the former values back.
  fileprivate var undo: [() -> Void] = []
  fileprivate var isRunning = false

  init(recordsUndo: Bool) {
    self.recordsUndo = recordsUndo
  }

  /// Runs `body`, and then calls the closures of the numbers that it has changed, or takes the changes back if
  /// it throws.
  func run(_ body: () throws -> Void) rethrows {
    isRunning = true
    do {
      try body()
    } catch {
      for putBack in undo.reversed() { putBack() }
      for number in changed { number.forget() }
      end()
      throw error
    }
    isRunning = false
    for number in changed { number.deliver() }
    end()
  }

  private func end() {
    isRunning = false
    changed.removeAll(keepingCapacity: true)
    undo.removeAll(keepingCapacity: true)
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
      if batch.recordsUndo { batch.undo.append { self.value = oldValue } }
    }
  }

  init(in batch: HandBatch, _ handler: @escaping (_ old: Int, _ new: Int) -> Void) {
    self.batch = batch
    self.handler = handler
  }

  fileprivate func forget() { former = nil }

  fileprivate func deliver() {
    guard let old = former else { return }
    former = nil
    handler(old, value)
  }
}
