/// Records changes of observable objects, for undo and redo.
///
///     let history = KeyValueHistory(of: document, includingReachable: true)
///     document.title = "Notes"
///     try history.undo()
///
/// It records the stored properties of the objects that it is given, or the entries of a ``KeyValueDictionary``, and,
/// with `includingReachable`, those of all that these refer to. One ``undo()`` takes one group back: the changes of one
/// assignment or one transaction, with those that observers and `didSet` make while it is delivered (P58). Changes that
/// are rolled back are not recorded.
///
/// `canUndo`, `canRedo`, `undoName` and `redoName` are observable keys. A history is used on the thread or actor
/// on which its objects are changed (P62).
///
/// - Complexity: A recorded object has one observer for each stored property, or for each entry that it has or has had.
///   A change takes as long as with a prior observer, and keeps its former value, or the elements that an edit has
///   removed and inserted. With `includingReachable`, to set a collection of objects takes O(*n*) in their number, an
///   edit by proxy in the number of those that it brings.
public final class KeyValueHistory: KeyValueObservable {
  /// The registrar of the history's observers.
  public let keyValueRegistrar = KeyValueRegistrar()
  private let includesReachable: Bool
  private let limit: Int
  private let interval: Duration?
  var tokens: [ObjectIdentifier: [KeyValueObservation]] = [:]
  private var objectLimit = 64

  private(set) var undoGroups: [HistoryGroup] = []
  private(set) var redoGroups: [HistoryGroup] = []
  var published = PublishedValues()
  /// The group that is being recorded.
  private var group: HistoryGroup?
  /// How many groups have been begun.
  private(set) var groupCount = 0
  /// How many recorded changes have begun and not ended.
  private var beginnings = 0
  /// The undo or redo that runs: the group that it takes back, and what is recorded meanwhile.
  private var operation: (group: HistoryGroup, origin: HistoryGroup.Origin)?
  /// How many pauses are around the running code.
  var pauses = 0
  private var reported: Set<String> = []

  /// Creates a history of an object.
  ///
  /// - Parameters:
  ///   - object: The object, which is held weakly.
  ///   - includingReachable: Whether to record the objects as well that strong stored properties and
  ///     collections refer to, directly or through others, also those that are set later. Once recorded, an
  ///     object stays so.
  ///   - limit: How many groups are kept; the oldest is dropped. Nil for any number; with 0 or less, none is kept.
  ///   - coalescing: The time within which changes of one key join the group before, if that has changed only
  ///     the same key. Nil if none do.
  ///
  /// - Complexity: O(*n*) in the number of stored properties and entries of the objects.
  public init(
    of object: some KeyValueObservable, includingReachable: Bool = false, limit: Int? = nil,
    coalescing: Duration? = nil
  ) {
    includesReachable = includingReachable
    self.limit = max(limit ?? .max, 0)
    interval = coalescing
    record(object)
  }

  deinit {
    for tokens in tokens.values { for token in tokens { token.invalidate() } }
  }

  // MARK: Recording

  /// Records changes of one more object from now on.
  ///
  /// Observers of the history's own keys are not notified by this, but when a change of the object
  /// has been recorded.
  ///
  /// - Parameter object: The object, which is held weakly.
  ///
  /// - Complexity: O(*n*) in the number of stored properties and entries of the objects that are recorded. An
  ///   object that several others refer to is visited once.
  public func record(_ object: some KeyValueObservable) {
    reportUnlessRecordable(object)
    record(all: [object])
  }

  /// Records objects, and those that they refer to, each of which is visited once.
  private func record(all objects: [any KeyValueObservable]) {
    var found = objects
    // An object without recordable properties has no observation by which it would be known.
    var visited = Set(objects.map { ObjectIdentifier($0) })
    var index = 0
    while index < found.count {
      let next = found[index]
      index += 1
      if isRecorded(next) { continue }
      ThreadState.pauseRecording {
        forgetFormerObjects()
        let made = attach(to: next)
        if !made.isEmpty { tokens[ObjectIdentifier(next)] = made }
        if !includesReachable { return }
        for property in PropertyTable.of(type(of: next)).referringProperties {
          forEachObservableObject(in: property.value(of: next)) {
            if visited.insert(ObjectIdentifier($0)).inserted { found.append($0) }
          }
        }
        forEachObservableObject(inEntriesOf: next) {
          if visited.insert(ObjectIdentifier($0)).inserted { found.append($0) }
        }
      }
    }
  }

  private func isRecorded(_ object: any KeyValueObservable) -> Bool {
    tokens[ObjectIdentifier(object)]?.contains(where: \.isActive) ?? false
      || recordsEntries(of: object)
  }

  private func attach(to object: some KeyValueObservable) -> [KeyValueObservation] {
    if let object = object as? any EntryRecording { return attach(toEntriesOf: object) }
    return PropertyTable.of(type(of: object)).recordableProperties.map {
      object.attach(HistoryRegistration($0, for: self, since: groupCount + 1), to: $0)
    }
  }

  /// Forgets objects that are gone, whenever there are twice as many as there were then.
  private func forgetFormerObjects() {
    if tokens.count < objectLimit { return }
    tokens = tokens.filter { $0.value.contains(where: \.isActive) }
    objectLimit = max(2 * tokens.count, 64)
  }

  /// Names the group that is being recorded, or else the one that is undone next.
  ///
  /// In a transaction it names the group of that transaction, also before the first change; the
  /// name is dropped if nothing is recorded, and put back if a transaction inside is rolled back.
  /// Observers of ``undoName`` are notified when that group is complete. A group that is complete is
  /// renamed at once, and observers are notified before the function returns. Without a group
  /// nothing is done.
  ///
  /// - Parameter name: The name, for a menu.
  public func setGroupName(_ name: String) {
    if isInChange {
      rename(madeGroup(), to: name)
    } else if let transaction = Transaction.current {
      // The group is complete at the end of the transaction, and dropped if it is empty then.
      changeBegins()
      rename(madeGroup(), to: name)
      transaction.whenDelivered { [weak self] in self?.changeEnds(1) }
    } else if let last = undoGroups.last {
      last.name = name
      publish()
    }
  }

  /// Lets the next change begin a group of its own.
  ///
  /// Observers of the history's own keys are not notified by this, but when the next group is
  /// complete.
  public func endCoalescing() { undoGroups.last?.isClosed = true }

  /// Forgets all groups, also the one that is being recorded.
  ///
  /// Observers of ``canUndo``, ``canRedo`` and the names are notified before the function returns,
  /// in a transaction at its end. If that is rolled back, all groups are there as before, and no observer is
  /// notified. So it is in a `didSet` that the rollback itself calls. In one that ``undo()`` or ``redo()`` calls,
  /// what these record is forgotten as well, and observers are notified when they are done.
  public func removeAll() {
    if !willChangeGroups() { return }
    undoGroups = []
    redoGroups = []
    if isInChange {
      // A rollback puts the group back that is being recorded, with its changes.
      group = nil
      madeGroup().discard()
    }
    // In a `didSet` that an undo calls, nothing is set but what that puts back. It publishes at its end, but another
    // history does not.
    guard let transaction = Transaction.current, transaction.isRestoring else { return publish() }
    transaction.whenDelivered { [weak self] in if let self, operation == nil { publish() } }
  }

  // MARK: Undo and redo

  /// Whether there is something to undo; an observable key.
  public var canUndo: Bool {
    keyValueRegistrar.access("canUndo", of: self)
    return published.canUndo
  }

  /// Whether there is something to redo; an observable key.
  public var canRedo: Bool {
    keyValueRegistrar.access("canRedo", of: self)
    return published.canRedo
  }

  /// The name of the group that ``undo()`` takes back, nil if it has none; an observable key.
  public var undoName: String? {
    keyValueRegistrar.access("undoName", of: self)
    return published.undoName
  }

  /// The name of the group that ``redo()`` makes again, nil if it has none; an observable key.
  public var redoName: String? {
    keyValueRegistrar.access("redoName", of: self)
    return published.redoName
  }

  /// Takes the last group of changes back, in one transaction (P59).
  ///
  /// Each property gets back the value from before the group, and then observers are notified. Their changes
  /// belong to those that ``redo()`` takes back. Objects that are gone are left out. Without a group nothing
  /// is done. Observers of the history's own keys are notified last.
  ///
  /// - Throws: An error that has changed nothing, with the group still to be undone:
  ///   ``KeyValueHistoryError/conflict`` if an edit no longer fits its collection, as every later
  ///   call does until the collection fits again or ``removeAll()`` is called;
  ///   ``KeyValueHistoryError/recording`` in a transaction, and in a callback of a change of a
  ///   recorded object, also of one that was made in ``withoutRecording(_:)``.
  ///
  /// - Complexity: That of the sets and their observers. To take back *m* edits of a collection of
  ///   *n* elements, as coalescing collects them, is O(*m* · *n*).
  public func undo() throws(KeyValueHistoryError) { try takeBack(undoGroups.last, as: .undo) }

  /// Makes the group of changes again that was taken back last, in one transaction.
  ///
  /// It works as ``undo()`` does.
  ///
  /// - Throws: An error that has changed nothing, with the group still to be made again:
  ///   ``KeyValueHistoryError/conflict`` if an edit no longer fits its collection, as every later
  ///   call does until the collection fits again, another change clears the group, or
  ///   ``removeAll()`` is called; ``KeyValueHistoryError/recording`` where ``undo()`` throws it.
  ///
  /// - Complexity: That of ``undo()``.
  public func redo() throws(KeyValueHistoryError) { try takeBack(redoGroups.last, as: .redo) }

  private func takeBack(
    _ last: HistoryGroup?, as origin: HistoryGroup.Origin
  ) throws(KeyValueHistoryError) {
    if isInChange || isInDelivery || Transaction.current != nil { throw .recording }
    guard let last else { return }
    let restorations = try last.restorations()
    if origin == .undo { undoGroups.removeLast() } else { redoGroups.removeLast() }
    undoGroups.last?.isClosed = true
    operation = (last, origin)
    withKeyValueTransaction {
      guard let transaction = Transaction.current else { return }
      transaction.restoredGroup = Transaction.RestoredGroup(
        rank: transaction.makeStep(), isRecorded: isRecorded(with: last))
      for restoration in restorations { restoration.apply(in: transaction) }
    }
    operation = nil
    // Edits that cancel out are not delivered, and so not recorded.
    if isRecording, group?.isUnused ?? true, !restorations.isEmpty, last.consistsOfEdits {
      groupCount += 1
      group = HistoryGroup(
        origin, number: groupCount, oppositeOf: last, name: group?.name ?? last.name)
    }
    conclude()
    publish()
  }
}

extension KeyValueHistory {
  /// Returns a function that says whether an observed key was recorded when a group that is taken back began, or since
  /// with a change in any group.
  private func isRecorded(with group: HistoryGroup) -> (ObservedKey) -> Bool {
    // Found when a binding asks, once for all.
    var found: Set<ObservedKeyIdentity>?
    return { [self] key in
      if HistoryRegistration.records(changesOf: key, for: self, since: group.number) { return true }
      let keys = found ?? Set((undoGroups + redoGroups + [group]).flatMap(\.observedKeys))
      found = keys
      return keys.contains(key.identity)
    }
  }
}

@available(*, unavailable) extension KeyValueHistory: Sendable {}

// MARK: What registrations report

extension KeyValueHistory {
  /// Whether a recorded change has begun and not ended.
  private var isInChange: Bool { group != nil || beginnings > 0 || operation != nil }

  /// Whether observers of a recorded key are being notified, before a change that the history may not have received
  /// yet, or after one that it has received.
  private var isInDelivery: Bool {
    let thread = ThreadState.current
    return [thread.preparation, thread.delivery].contains { deliveries in
      deliveries.outward.contains {
        HistoryRegistration.records(
          changesOf: $0.pointee.observedKey.takeUnretainedValue(), for: self)
      }
    }
  }

  func changeBegins() { beginnings += 1 }

  /// Notes that changes have been delivered.
  func changeEnds(_ count: Int) {
    beginnings -= count
    ThreadState.current.whenOutermostChangeEnds { [weak self] in self?.conclude() }
  }

  /// - `groupCount`: How many groups had been begun when the pair began that makes the change; nil for any other
  ///   change.
  func record(_ step: HistoryStep, ofPairBehind groupCount: Int?) {
    let group = madeGroup()
    if let groupCount {
      group.append(step, ofPairBehind: groupCount)
    } else {
      group.append(step)
    }
    group.lastChange = .now
  }

  /// Records the objects in a value that a property has got.
  func follow(_ value: Any?) {
    guard includesReachable else { return }
    var objects: [any KeyValueObservable] = []
    forEachObservableObject(in: value) { objects.append($0) }
    record(all: objects)
  }

  /// Reports once that changes of a property are not recorded.
  func report(_ property: KeyValueProperty, in subject: any KeyValueObservable) {
    guard reported.insert("\(type(of: subject)).\(property.key)").inserted else { return }
    KeyValueDiagnostics.report(
      .unrestoredValue(byHistoryIn: type(of: subject), key: property.key))
  }

  /// Reports once that entries of objects of a class are not recorded.
  private func reportUnlessRecordable(_ object: some KeyValueObservable) {
    let type = type(of: object)
    guard type.hasDynamicKeys, !(type is any EntryRecording.Type),
      PropertyTable.of(type).recordableProperties.isEmpty,
      reported.insert("\(type)").inserted
    else { return }
    KeyValueDiagnostics.report(.unrestoredValue(byHistoryOf: type))
  }

  /// The groups and the values of the keys, which a rollback puts back.
  var contents: HistoryRecord.Contents {
    get {
      HistoryRecord.Contents(
        undoGroups: undoGroups, redoGroups: redoGroups, group: group, published: published)
    }
    set {
      (undoGroups, redoGroups) = (newValue.undoGroups, newValue.redoGroups)
      published = newValue.published
      // Any other group has changes which were recorded since.
      if group?.isDiscarded == true { group = newValue.group }
    }
  }

  private func madeGroup() -> HistoryGroup {
    if let group { return group }
    groupCount += 1
    let made = HistoryGroup(
      operation?.origin ?? .program, number: groupCount, name: operation?.group.name)
    group = made
    return made
  }

  /// Completes the group that is being recorded, once all of its changes have ended.
  private func conclude() {
    guard beginnings == 0, operation == nil, let group else { return }
    self.group = nil
    if !group.isDiscarded, !group.isEmpty { add(group) }
    publish()
  }

  private func add(_ group: HistoryGroup) {
    // In a transaction, one of an object that was deallocated in it.
    if !willChangeGroups() { return }
    switch group.origin {
    case .undo: redoGroups.append(group)
    case .redo: undoGroups.append(group)
    case .program:
      redoGroups = []
      group.takeInLast(of: &undoGroups)
      if let interval, let last = undoGroups.last, last.join(group, within: interval) { return }
      undoGroups.append(group)
    }
    if undoGroups.count > limit { undoGroups.removeFirst(undoGroups.count - limit) }
  }
}
