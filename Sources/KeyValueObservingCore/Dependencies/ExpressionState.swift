/// What an expression is attached to, and which of its changes are still to be delivered.
///
/// A plain value without a lock, which the expression guards.
struct ExpressionState {
  /// Names a thread; nil names none.
  typealias Thread = UnsafeMutableRawPointer

  private(set) var links: [Link] = []
  /// Counts the changes of inputs, so that an evaluation notices one that is made meanwhile.
  private var generation = 0
  /// Counts those that the evaluating thread has made itself.
  private var ownGeneration = 0
  private var evaluator: Thread?
  private var changes: [ExpressionChange] = []

  // MARK: Evaluating

  enum Turn {
    case yours
    /// Another thread evaluates. It will notice that the inputs changed, and evaluate again.
    case anothers
    /// This thread evaluates already: a getter has changed what it reads.
    case nested
  }

  /// Notes that inputs changed, and says whose turn it is to evaluate.
  mutating func beginEvaluation(on thread: Thread) -> Turn {
    generation += 1
    guard let evaluator else {
      self.evaluator = thread
      return .yours
    }
    guard evaluator == thread else { return .anothers }
    ownGeneration += 1
    return .nested
  }

  /// What an evaluation starts from: what to compare with, and the links to find again.
  struct Start {
    fileprivate let generation: Int
    fileprivate let ownGeneration: Int
    let links: [Link]
  }

  var start: Start { Start(generation: generation, ownGeneration: ownGeneration, links: links) }

  /// What an evaluation has to do next.
  enum Verdict {
    case isDone
    /// Another thread has changed inputs since it started. It is repeated until that stops, since
    /// nobody else would attach the expression to what has come (P39).
    case isOutdated
    /// Its own getters have, or it has found out what to read.
    case hasOutdatedItself
  }

  /// Takes the links of an evaluation.
  mutating func finishEvaluation(
    _ evaluation: Evaluation, since start: Start, isLast: Bool
  ) -> Verdict {
    let assisting = links.dropFirst(start.links.count)
    if let links = evaluation.links { self.links = links + assisting }
    if let areBeforeLast = evaluation.reading.areBeforeLast {
      for (link, isBeforeLast) in zip(links, areBeforeLast) { link.isBeforeLast = isBeforeLast }
    }
    let isCurrent = generation == start.generation && !evaluation.reading.mustRepeat
    if assisting.isEmpty, isLast || isCurrent {
      evaluator = nil
      return .isDone
    }
    return ownGeneration != start.ownGeneration || evaluation.reading.mustRepeat
      ? .hasOutdatedItself : .isOutdated
  }

  /// Takes the links of a thread that could not wait for the one that evaluates, which will meet
  /// them again. Returns false if nobody evaluates any more.
  mutating func assist(_ links: [Link]) -> Bool {
    if evaluator == nil { return false }
    self.links += links
    generation += 1
    return true
  }

  /// Gives up the links, unless an evaluation is under way, which then does it itself.
  mutating func endLinks() -> [Link] {
    guard evaluator == nil else { return [] }
    let ended = links
    links = []
    return ended
  }

  // MARK: Changes

  /// Takes a change to its place in the order in which changes begin.
  mutating func insert(_ change: ExpressionChange) {
    let place = changes.lastIndex { $0.number <= change.number }.map { $0 + 1 } ?? 0
    changes.insert(change, at: place)
  }

  mutating func renumber(_ change: ExpressionChange, _ number: UInt64) {
    remove(change)
    change.number = number
    insert(change)
  }

  mutating func remove(_ change: ExpressionChange) { changes.removeAll { $0 === change } }

  /// The change of an input that is still to be delivered.
  func change(_ number: UInt64) -> ExpressionChange? {
    changes.last { $0.number == number && !$0.isDue }
  }

  /// Whether a change that is older than `number` is still to be delivered on a thread.
  func isPreceded(_ number: UInt64, on thread: Thread) -> Bool {
    oldest(on: thread).map { changes[$0].number < number } ?? false
  }

  /// The number of the oldest change of a thread, if its turn has come.
  func dueNumber(on thread: Thread) -> UInt64? {
    oldest(on: thread).flatMap { changes[$0].isDue ? changes[$0].number : nil }
  }

  mutating func takeOldest(on thread: Thread) -> ExpressionChange? {
    oldest(on: thread).map { changes.remove(at: $0) }
  }

  private func oldest(on thread: Thread) -> Int? {
    changes.firstIndex { $0.thread == thread && $0.isMade }
  }

  /// Traps where the state contradicts itself. Tests call it after every step.
  func checkInvariants(of expression: Expression) {
    precondition(links.allSatisfy { $0.expression === expression }, "a link of somebody else")
    precondition(
      evaluator != nil
        || Set(links.compactMap { $0.slot.map(ObjectIdentifier.init) }).count
          == links.count,
      "attached twice to one key (P30)")
    precondition(!expression.hasEnded || evaluator != nil || links.isEmpty, "ended, yet attached")
  }
}

/// One change of an expression, from before the change of its input until it is delivered.
///
/// What places it among the changes of its expression (its number, its thread, and how far it has
/// come) is guarded by the lock of the expression; the rest belongs to its thread.
final class ExpressionChange {
  /// The number of the change of the input, which is its place in the order.
  var number: UInt64
  /// The thread that delivers it.
  var thread: ExpressionState.Thread
  /// Whether the input was zeroed, so that there is no old value (P27).
  let isZeroing: Bool
  var reason = KeyValueChangeReason.valueChanged
  var old: AnyValueBox?
  var new: AnyValueBox?
  /// Whether the input has changed. Until then, changes that prior callbacks make come first.
  var isMade = false
  /// Whether its turn has come, and it only waits for an older change.
  var isDue = false
  /// How many changes the thread had begun when the old value was captured.
  var capturedAfter: UInt64 = 0
  /// Whose callback made the change.
  let origin: ObserverIdentity?
  /// The delivery to the observers of a computed key.
  var delivery: UnsafeMutablePointer<Delivery>?
  /// The object from which the value is reached, which is kept until the change is delivered.
  var subject: AnyObject?

  init(of delivery: UnsafeMutablePointer<Delivery>) {
    number = delivery.pointee.change
    thread = ThreadState.identity
    isZeroing = delivery.pointee.isZeroing
    origin = ThreadState.current.delivery.first { $0 != delivery }?.called
  }
}
