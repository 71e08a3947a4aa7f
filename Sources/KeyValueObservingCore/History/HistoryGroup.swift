/// The changes that one undo takes back (P58).
final class HistoryGroup {
  /// Why the changes were made.
  enum Origin {
    case program, undo, redo
  }

  let origin: Origin
  /// Its position among the groups that its history has begun, from 1 on.
  let number: Int
  var name: String?
  /// Whether no later group may join it (P61).
  var isClosed = false
  /// Whether the history was emptied while it was recorded.
  var isDiscarded = false
  private(set) var steps: [HistoryStep] = []
  /// The last step of each key.
  private var keys: [RecordKey: Int] = [:]
  /// The index of the change of a pair of manual notifications, and how many groups had been begun when the pair began.
  private var pair: (index: Int, groupCount: Int)?
  var lastChange = ContinuousClock.now

  init(_ origin: Origin, number: Int, name: String?) {
    self.origin = origin
    self.number = number
    self.name = name
  }

  /// Creates one that takes back what has taken back the edits of another one, where nothing was delivered: they have
  /// cancelled out, or have replaced members of a set by equal ones.
  ///
  /// No later group joins it.
  init(_ origin: Origin, number: Int, oppositeOf other: HistoryGroup, name: String?) {
    self.origin = origin
    self.number = number
    self.name = name
    steps = other.steps.reversed().map(\.opposite)
  }

  /// Adds the change of a pair of manual notifications, which takes back all changes of its key since that began.
  ///
  /// - `groupCount`: How many groups had been begun when the pair began.
  func append(_ step: HistoryStep, ofPairBehind groupCount: Int) {
    if !isDiscarded, step.isWhole, keys[step.key] == nil { pair = (steps.count, groupCount) }
    append(step)
  }

  /// Adds a change, unless a step that is there takes it back too.
  func append(_ step: HistoryStep) {
    if isDiscarded { return }
    // Another object may have got the address of one that is gone.
    if let last = keys[step.key].map({ steps[$0] }), last.isWhole, last.subject != nil { return }
    keys[step.key] = steps.count
    steps.append(step)
  }

  var isEmpty: Bool { steps.isEmpty }

  /// Whether nothing was recorded in it, and it was not emptied.
  var isUnused: Bool { isEmpty && !isDiscarded }

  /// Whether it has edits of collections only, which may cancel out.
  var consistsOfEdits: Bool { steps.allSatisfy { !$0.isWhole } }

  /// The observed keys that were changed, of the objects that are still there.
  var observedKeys: [ObservedKeyIdentity] {
    steps.compactMap { step in
      step.subject?.existingContext?._withUnsafeGuaranteedRef {
        $0.observedKey(named: step.property.name).map { ObservedKeyIdentity($0.toOpaque()) }
      }
    }
  }

  func discard() {
    isDiscarded = true
    steps = []
    keys = [:]
  }

  /// Takes in the last groups before it, if these began inside of its pair and have a change of the pair's key (P58).
  ///
  /// - Complexity: O(*n*) in the number of their changes.
  func takeInLast(of groups: inout [HistoryGroup]) {
    guard let pair else { return }
    let (step, later) = (steps[pair.index], steps)
    func isInside(_ group: HistoryGroup) -> Bool {
      group.number > pair.groupCount && !group.isClosed && group.name == nil
        && group.origin == .program && group.keys[step.key] != nil
    }
    let first = groups.lastIndex { !isInside($0) }.map { $0 + 1 } ?? 0
    if first == groups.endIndex { return }
    (steps, keys) = ([], [:])
    self.pair?.index = 0
    for step in [step] + groups[first...].flatMap(\.steps) + later { append(step) }
    groups.removeSubrange(first...)
  }

  /// Adds the changes of a group that came later, if both are of one key and the same (P61).
  ///
  /// Returns whether they were.
  func join(_ later: HistoryGroup, within interval: Duration) -> Bool {
    guard !isClosed, name == nil, later.name == nil, origin == .program, later.origin == .program,
      keys.count == 1, steps.last?.subject != nil, Set(keys.keys) == Set(later.keys.keys),
      later.lastChange - lastChange <= interval
    else { return false }
    for step in later.steps { append(step) }
    lastChange = later.lastChange
    return true
  }

  /// The values that take the changes back, in the order in which they are to be set.
  ///
  /// - Throws: `KeyValueHistoryError.conflict` if an edit does not fit the present collection.
  func restorations() throws(KeyValueHistoryError) -> [Restoration] {
    var order: [RecordKey] = []
    var restorations: [RecordKey: Restoration] = [:]
    for step in steps.reversed() {
      guard let subject = step.subject else { continue }
      var restoration: Restoration
      if let known = restorations[step.key] {
        restoration = known
      } else {
        order.append(step.key)
        restoration = Restoration(of: step.property, in: subject)
      }
      try restoration.takeBack(step.change)
      restorations[step.key] = restoration
    }
    return order.compactMap { restorations[$0] }
  }
}

/// One recorded change of a property.
struct HistoryStep {
  enum Change {
    /// A set, which is taken back by the value from before.
    case value(AnyValueBox)
    /// An edit of a collection, which is taken back by the opposite one.
    case edit(Edit, removed: AnyValueBox?, added: AnyValueBox?)
  }

  private(set) weak var subject: (any KeyValueObservable)?
  let property: KeyValueProperty
  private(set) var change: Change
  let key: RecordKey

  init(_ change: Change, of property: KeyValueProperty, in subject: any KeyValueObservable) {
    self.subject = subject
    self.property = property
    self.change = change
    key = RecordKey(property.name, of: subject)
  }

  /// The edit that takes this one back; a set stays what it is.
  var opposite: HistoryStep {
    guard case .edit(let edit, let removed, let added) = change else { return self }
    var opposite = self
    opposite.change = .edit(edit.inverse, removed: added, added: removed)
    return opposite
  }

  /// Whether taking it back restores the property, whatever was done to that later.
  var isWhole: Bool {
    if case .value = change { true } else { false }
  }
}

/// The value that a property gets back, and the edits that lead there.
struct Restoration {
  let property: KeyValueProperty
  let subject: any KeyValueObservable
  private var value: AnyValueBox?
  /// The edits that lead there; nil if the property is set as a whole.
  private var edits: [Transaction.OppositeEdit]? = []

  init(of property: KeyValueProperty, in subject: any KeyValueObservable) {
    self.property = property
    self.subject = subject
  }

  mutating func takeBack(_ change: HistoryStep.Change) throws(KeyValueHistoryError) {
    switch change {
    case .value(let former):
      value = former
      edits = nil
    case .edit(let edit, let removed, let added):
      let present = value ?? property.box(of: subject)
      guard let former = present.takingBack(edit, removed: removed, added: added) else {
        throw .conflict
      }
      value = former
      edits?.append((edit.inverse, removed))
    }
  }

  /// Sets the property in a transaction.
  func apply(in transaction: Transaction) {
    guard let value else { return }
    func apply(_ subject: some KeyValueObservable) {
      transaction.putBack(value, to: property, of: subject, by: edits ?? [])
    }
    apply(subject)
  }
}
