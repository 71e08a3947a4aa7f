// Noncopyable, so that reading one part does not retain all (row: top link replaced).
/// The links of a derived value, and those of its changes that are still to be delivered.
///
/// A plain value without a lock, which the derived value guards.
struct DerivedValueState: ~Copyable {
  /// Names a thread; nil names none.
  typealias Thread = UnsafeMutableRawPointer

  private(set) var links: [Link] = []
  /// Counts the changes of inputs, so that an evaluation notices one that is made meanwhile.
  private var generation = 0
  /// Counts those that the evaluating thread has made itself.
  private var ownGeneration = 0
  private var evaluator: Thread?
  /// How many threads read the value beside the one that evaluates (`endReading(on:)`).
  private var readerCount = 0
  /// Whether what it is attached to is outdated, and a reader is to evaluate.
  private var isLeftToReaders = false
  /// The changes that are still to be delivered, in the order in which they began.
  var changes = Queue<DerivedChange>()
  /// How many of them were begun, and are not made yet.
  var unmadeCount: Int32 = 0
  /// Whether one of them may have a later number than those that were made inside it (`renumber(_:to:)`).
  var hasRenumbered = false
  /// Those that are not made, since another change has come inside of one: many that wait may have come after them.
  var nested: [DerivedChange] = []
  /// The changes of which prior notifications are being sent.
  var prepared: [DerivedChange] = []
  /// A change that is over, for the next one.
  var spareChange: DerivedChange?
  /// The box of its new value, for the next evaluation.
  private var usedBox: AnyValueBox?
  /// The limits of the deferred changes; nil while there are none.
  var limits: LoopLimits?
  /// The object with the last key of a path, as the last evaluation found it.
  private var leafOwner: WeakReference?
  /// The value that was delivered last, where a deallocation may change it.
  var keptValue: AnyValueBox?
  /// The reported diagnostics.
  private var topics: Set<String> = []

  // MARK: Evaluating

  enum Turn {
    case yours(Start)
    /// Another thread evaluates. It will notice that the inputs changed. This one reads, and looks
    /// after that whether it has to evaluate in the other's place.
    case anothers
    /// This thread evaluates already, and has changed an input.
    case nested
  }

  /// The start of an evaluation: the value to compare with, and the links to find again.
  struct Start {
    fileprivate let generation: Int
    fileprivate let ownGeneration: Int
    fileprivate let linkCount: Int
    var links: [Link]
    var usedBox: AnyValueBox?
  }

  /// Keeps a change that is over for the next one, and the box of its new value for the next evaluation.
  ///
  /// Returns it if there is one already, to be released outside the lock.
  mutating func keep(_ change: consuming DerivedChange) -> DerivedChange? {
    if spareChange != nil { return change }
    if usedBox == nil { usedBox = change.usedBoxes.new.take() }
    spareChange = consume change
    return nil
  }

  /// Notes that inputs changed, and says whose turn it is to evaluate.
  @inline(__always)
  mutating func beginEvaluation(on thread: Thread) -> Turn {
    generation += 1
    guard let evaluator else {
      return .yours(beginEvaluating(on: thread))
    }
    guard evaluator == thread else {
      readerCount += 1
      return .anothers
    }
    ownGeneration += 1
    return .nested
  }

  /// Notes that an observer, which is called in a computation of the thread, has changed an input.
  mutating func outdateEvaluation(on thread: Thread) {
    generation += 1
    if evaluator == thread { ownGeneration += 1 }
  }

  /// The links.
  ///
  /// An evaluation that is under way is going to be repeated, so that it meets them and those that
  /// it has attached as they are from now on.
  mutating func linksToChange() -> [Link] {
    if evaluator != nil { generation += 1 }
    return links
  }

  /// Whether another thread evaluates.
  func isEvaluatedElsewhere(than thread: Thread) -> Bool { (evaluator ?? thread) != thread }

  private mutating func beginEvaluating(on thread: Thread) -> Start {
    evaluator = thread
    isLeftToReaders = false
    var start = start
    start.usedBox = usedBox.take()
    return start
  }

  /// Notes that a thread has read the value beside the one that evaluated.
  ///
  /// Returns what to start from if it is to evaluate now.
  mutating func endReading(on thread: Thread) -> Start? {
    readerCount -= 1
    return isLeftToReaders ? beginEvaluating(on: thread) : nil
  }

  var start: Start {
    Start(
      generation: generation, ownGeneration: ownGeneration, linkCount: links.count, links: links)
  }

  /// The next step of an evaluation.
  enum Verdict {
    case isDone
    /// Inputs have changed since it started, but it is not repeated again.
    case isGivenUp
    /// Another thread has changed inputs since it started. It is repeated, because no other thread
    /// would attach the derived value to new inputs (P39).
    case isOutdated
    /// The same, but a thread that reads the value does that. So none that sets an input evaluates
    /// for as long as others go on to set them.
    case isLeftToReaders
    /// Its own getters have, or observers of what these set.
    case hasOutdatedItself
  }

  /// Takes the links of an evaluation, all of which were met.
  @inline(__always)
  mutating func finishEvaluation(
    _ found: borrowing MetLinks, since start: Start, isLast: Bool
  ) -> Verdict {
    let isAssisted = links.count > start.linkCount
    if found.areOthers {
      links = isAssisted ? found.links + links[start.linkCount...] : found.links
    }
    let isCurrent = generation == start.generation
    if !isAssisted, isLast || isCurrent {
      evaluator = nil
      if let owner = found.leafOwner, isCurrent {
        if leafOwner?.isReference(to: owner) != true { leafOwner = WeakReference(owner) }
      } else {
        leafOwner = nil
      }
      return isCurrent ? .isDone : .isGivenUp
    }
    if ownGeneration != start.ownGeneration { return .hasOutdatedItself }
    guard !isAssisted, readerCount > 0 else { return .isOutdated }
    evaluator = nil
    leafOwner = nil
    isLeftToReaders = true
    return .isLeftToReaders
  }

  /// Takes the links of a thread that could not wait for the evaluating one, which will meet them
  /// again.
  ///
  /// Returns those to keys that have a link already: each link is notified of a change, and may
  /// come to assist in turn. Returns nil if no thread is evaluating any more.
  mutating func assist(_ links: [Link]) -> [Link]? {
    if evaluator == nil { return nil }
    let observedKeys = Set(self.links.map(\.lastKeyIdentity))
    let (surplus, missing) = (
      links.filter { observedKeys.contains($0.lastKeyIdentity) },
      links.filter { !observedKeys.contains($0.lastKeyIdentity) }
    )
    if !missing.isEmpty {
      self.links += missing
      generation += 1
    }
    return surplus
  }

  /// Takes out the links of threads that assisted to keys which have a link already.
  mutating func takeSurplus() -> [Link] {
    var observedKeys: Set<ObservedKeyIdentity> = []
    var surplus: [Link] = []
    links.removeAll { link in
      guard let observedKey = link.lastKeyIdentity, !observedKeys.insert(observedKey).inserted
      else { return false }
      surplus.append(link)
      return true
    }
    return surplus
  }

  /// Gives up the links, unless an evaluation is under way, which then does it itself.
  mutating func endLinks() -> [Link] {
    guard evaluator == nil else { return [] }
    let ended = links
    links = []
    return ended
  }

  // MARK: The last key of a path

  /// The object with the last key of a path, if it is known without walking there: nothing on the way
  /// has changed since, or is about to.
  var knownLeafOwner: AnyObject? {
    evaluator == nil && changes.isEmpty ? leafOwner?.target : nil
  }

  // MARK: Diagnostics

  /// Notes that something is reported.
  ///
  /// Returns false if it has been.
  mutating func note(_ diagnostic: KeyValueDiagnostic) -> Bool {
    topics.insert(diagnostic.topic).inserted
  }

  /// Traps where the state contradicts itself.
  ///
  /// Tests call it after every step.
  func checkInvariants(of derived: DerivedValue) {
    checkInvariant(
      links.allSatisfy { $0.derived === derived }, "a link of another derived value")
    checkInvariant(
      evaluator != nil
        || Set(links.compactMap { $0.observedKey.map(ObjectIdentifier.init) }).count
          == links.count,
      "attached twice to one key (P30)")
    checkInvariant(!derived.hasEnded || evaluator != nil || links.isEmpty, "ended, yet attached")
  }
}
