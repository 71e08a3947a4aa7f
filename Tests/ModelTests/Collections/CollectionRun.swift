import KeyValueObserving
import TestSupport

/// Runs a program, and rebuilds each observed collection from what its observer receives.
final class CollectionRun {
  private(set) var faults: [String] = []
  /// The steps that were made, and the changes that were received.
  private(set) var history: [String] = []
  private let shelves = (0..<4).map { Shelf([1, $0, 1]) }
  private var observers: [Observer] = []
  private var bindings: [KeyValueBinding] = []
  private var undoHistory: KeyValueHistory?
  /// The arrays in whose blocks elements are changed.
  private var openBlocks: [(shelf: Int, key: String)] = []
  /// How many changes are being made in which no observer is registered: it would not receive them (P13, P19).
  private var changesInProgress = 0
  private var priorDepth = 0
  private var depth = 0
  private var isTakingBack = false
  /// Whether handlers have made changes while the history took others back: these may not fit what comes after.
  private var hasActedMeanwhile = false
  private var areHandlersIdle = false
  /// Whether prior notifications of elements are sent that the program is about to change.
  private var isAnnouncing = false

  private final class Observer {
    let name: String
    let watch: CollectionWatch
    let collection: WatchedCollection
    let shelf: Shelf
    var token: KeyValueObservation?
    var hasEnded = false
    var mirror: CollectionMirror
    var remainingCalls: Int

    init(_ name: String, _ watch: CollectionWatch, of shelf: Shelf) {
      collection = WatchedCollection.all[watch.collection]
      self.name = "\(name): shelf \(watch.shelf), \(collection.name)"
      (self.watch, self.shelf) = (watch, shelf)
      mirror = CollectionMirror(collection.value(shelf), isSet: collection.isSet)
      remainingCalls = watch.times
    }
  }

  static func run(_ program: CollectionProgram) -> CollectionRun {
    let run = CollectionRun()
    let reports = Guarded<[String]>([])
    KeyValueDiagnostics.withHandler({ report in
      // A prior handler may remove what an edit is about (P35).
      if report.id != .outdatedIndexes { reports.withLock { $0.append("\(report)") } }
    }) { run.run(program) }
    run.faults += reports.value
    return run
  }

  private func run(_ program: CollectionProgram) {
    if program.isBound {
      bindings = [
        shelves[0].bind(\.items, to: shelves[1], \.shown),
        shelves[0].bind(\.marks, to: shelves[2], \.marks),
      ]
    }
    if program.hasHistory {
      undoHistory = KeyValueHistory(of: shelves[0])
      for shelf in shelves { undoHistory?.record(shelf) }
    }
    let former = shelves.map(\.state)
    for step in program.steps where faults.isEmpty {
      run(step)
      checkAtRest()
    }
    if let undoHistory, faults.isEmpty, !hasActedMeanwhile {
      check(undoHistory, from: former)
    }
    for observer in observers { end(observer) }
    for shelf in shelves { shelf.next = nil }
  }

  /// Takes all back, and makes it again.
  private func check(_ history: KeyValueHistory, from former: [String]) {
    areHandlersIdle = true
    while history.canRedo, faults.isEmpty { run(.redo) }
    let last = shelves.map(\.state)
    while history.canUndo, faults.isEmpty { run(.undo) }
    if shelves.map(\.state) != former { faults.append("Undone, it is \(shelves.map(\.state)).") }
    checkAtRest()
    while history.canRedo, faults.isEmpty { run(.redo) }
    if shelves.map(\.state) != last { faults.append("Made again, it is \(shelves.map(\.state)).") }
    checkAtRest()
  }

  private func checkAtRest() {
    for observer in observers where !observer.hasEnded {
      let value = observer.collection.value(observer.shelf)
      faults += observer.mirror.faults.map { "\(observer.name) \($0)" }
      if observer.mirror.value != value {
        faults.append("\(observer.name) has \(observer.mirror.value as Any), not \(value as Any).")
      }
    }
    // Each side has the value of its own groups then (P64).
    if bindings.isEmpty || hasActedMeanwhile { return }
    if shelves[0].items != shelves[1].items || shelves[0].marks != shelves[2].marks {
      faults.append("Bound sides are not equal: \(shelves.map(\.state)).")
    }
  }

  private func note(_ line: @autoclosure () -> String) {
    history.append(String(repeating: "  ", count: depth) + line())
  }

  private func run(_ steps: [CollectionStep]) {
    if depth > 12 { return }
    depth += 1
    for step in steps { run(step) }
    depth -= 1
  }

  private func run(_ step: CollectionStep) {
    switch step {
    case .end(let index): if index < observers.count { end(observers[index]) }
    case .edit(let shelf, let array, let edit, let form):
      self.edit(shelf, Shelf.arrays[array], edit, form)
    case .set(let shelf, let array, let list):
      note("shelf \(shelf).\(Shelf.arrays[array].key) = \(list)")
      set(shelves[shelf], Shelf.arrays[array].path, to: list)
    case .spare(let shelf, let element):
      note("shelf \(shelf).spare: \(element.map { "append \($0)" } ?? "remove the first one")")
      // It is an optional array.
      let spare = try! shelves[shelf].mutableArrayValue(forKey: "spare")
      if let element { spare.append(element) } else { _ = spare.popFirst() }
    case .members(let shelf, let edit, let members, let isComputed):
      note("shelf \(shelf).\(isComputed ? "shownMarks" : "marks"): \(edit) \(members.sorted())")
      edit.make(isComputed ? \.shownMarks : \.marks, of: shelves[shelf], members)
    // Prior handlers change collections, but not what leads to them, and register nothing: see Known limitations.
    case _ where priorDepth > 0: break
    case .link(let shelf, let target):
      if !openBlocks.isEmpty { return }
      note("shelf \(shelf).next = shelf \(target as Any)")
      shelves[shelf].next = target.map { shelves[$0] }
    case .block(let shelf, let key, let steps):
      note("block of shelf \(shelf).\(key)")
      openBlocks.append((shelf, key))
      shelves[shelf].withMutation(forKey: key) { run(steps) }
      openBlocks.removeLast()
      note("end of block")
    case .transaction(let rollsBack, let steps):
      note("transaction, rolled back: \(rollsBack)")
      try? withKeyValueTransaction {
        run(steps)
        if rollsBack { throw CancellationError() }
      }
      note("end of transaction")
    case .observe(let watch, let steps):
      if openBlocks.isEmpty, changesInProgress == 0, observers.count < 24 { observe(watch, steps) }
    case .undo, .redo:
      note("\(step)")
      isTakingBack = true
      defer { isTakingBack = false }
      do {
        if case .undo = step { try undoHistory?.undo() } else { try undoHistory?.redo() }
      } catch {
        if !hasActedMeanwhile { faults.append("\(error)") }
      }
    }
  }

  private func set(
    _ shelf: Shelf, _ keyPath: ReferenceWritableKeyPath<Shelf, [Int]>, to list: [Int]
  ) {
    guard keyPath == \.listed else { return shelf[keyPath: keyPath] = list }
    shelf.willChangeValue(for: \.listed)
    shelf.listed = list
    shelf.didChangeValue(for: \.listed)
  }

  private func edit(
    _ index: Int, _ array: (key: String, path: ReferenceWritableKeyPath<Shelf, [Int]>),
    _ edit: TagsEdit, _ form: CollectionForm
  ) {
    let (shelf, keyPath) = (shelves[index], array.path)
    note("shelf \(index).\(array.key): \(edit), \(form)")
    if keyPath != \.items || form == .block { changesInProgress += 1 }
    defer { if keyPath != \.items || form == .block { changesInProgress -= 1 } }
    if keyPath != \.listed, form == .proxy {
      return edit.apply(to: shelf.mutableArrayValue(for: keyPath))
    }
    guard let planned = edit.planned(for: shelf[keyPath: keyPath]) else { return }
    if keyPath != \.listed, form == .inPlace { return shelf[keyPath: keyPath] = planned.result }
    // The elements are a part of the change of the block around it.
    if openBlocks.contains(where: { $0 == (index, array.key) }) { return }
    let places = RangeSet(planned.indexes, within: 0..<1000)
    // The elements are the announced ones behind prior notifications, too.
    isAnnouncing = true
    if form == .block {
      shelf.withMutation(of: keyPath, planned.kind, at: places) {
        isAnnouncing = false
        shelf[keyPath: keyPath] = planned.result
      }
    } else {
      shelf.willChange(planned.kind, valuesAt: places, for: keyPath)
      isAnnouncing = false
      shelf[keyPath: keyPath] = planned.result
      shelf.didChange(planned.kind, valuesAt: places, for: keyPath)
    }
  }

  // MARK: Observing

  private func observe(_ watch: CollectionWatch, _ steps: [CollectionStep]) {
    let observer = Observer("\(observers.count)", watch, of: shelves[watch.shelf])
    observers.append(observer)
    var options: KeyValueObservation.Options = .new
    if watch.receivesOld || observer.collection.isSet { options.insert(.old) }
    if watch.receivesPriors { options.insert(.prior) }
    note(
      "observe \(observer.name)\(options.contains(.old) ? ", old" : "")"
        + (watch.receivesPriors ? ", prior" : ""))
    observer.token = observer.collection.observe(observer.shelf, options) {
      [unowned self, unowned observer] changes in
      let isPrior = changes[0].isPrior
      note("→ \(observer.name): \(changes)")
      if observer.hasEnded { faults.append("\(observer.name) receives a change after its end.") }
      if !isPrior { observer.mirror.receive(changes) }
      guard observer.remainingCalls > 0, !areHandlersIdle, !isAnnouncing else { return }
      observer.remainingCalls -= 1
      if isTakingBack { hasActedMeanwhile = true }
      if isPrior { priorDepth += 1 }
      run(steps)
      if isPrior { priorDepth -= 1 }
    }
  }

  private func end(_ observer: Observer) {
    note("end \(observer.name)")
    observer.hasEnded = true
    observer.token?.invalidate()
  }
}

extension MemberEdit {
  fileprivate func make(
    _ keyPath: ReferenceWritableKeyPath<Shelf, Set<Int>>, of shelf: Shelf, _ members: Set<Int>
  ) {
    let proxy = shelf.mutableSetValue(for: keyPath)
    switch self {
    case .union: proxy.formUnion(members)
    case .subtract: proxy.subtract(members)
    case .intersect: proxy.formIntersection(members)
    case .exchange: proxy.formSymmetricDifference(members)
    case .update: for member in members { proxy.update(with: member) }
    case .assign: proxy.assign(members)
    case .set: shelf[keyPath: keyPath] = members
    }
  }
}
