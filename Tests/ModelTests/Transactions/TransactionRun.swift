import KeyValueObserving
import Synchronization

@testable import KeyValueObservingCore

private struct Reference {
  weak var item: Item?
}

/// The diagnostics of a step.
private final class Reports: Sendable {
  private let diagnostics = Mutex<[KeyValueDiagnostic]>([])

  func add(_ diagnostic: KeyValueDiagnostic) { diagnostics.withLock { $0.append(diagnostic) } }
  func take() -> [KeyValueDiagnostic] { diagnostics.withLock { exchange(&$0, with: []) } }
}

/// Runs a program with transactions, and collects what does not fit together.
final class TransactionRun {
  let program: TransactionProgram
  private(set) var faults: [String] = []
  /// The changes that observers have received, step by step.
  private(set) var events: [[Event]] = []
  private let census = Census()
  private var variables: [Item?] = []
  private var made: [Reference] = []
  private let entries = KeyValueDictionary()
  private var tokens: [Int: KeyValueObservation] = [:]
  private(set) var streams: [Stream] = []
  private(set) var bindings: [Int: (form: BindingForm, token: KeyValueBinding)] = [:]
  /// A group of bindings, with the variable of its source.
  struct Group {
    let forms: [BindingForm]
    let group: KeyValueBindingGroup<Item>
    var source: Int?
    /// The time at which the source was set, if that was in the present step.
    var start = 0
  }
  private(set) var groups: [Int: Group] = [:]
  var history: KeyValueHistory?
  var historyModel: HistoryModel
  /// How many bodies around whose changes are not recorded.
  private(set) var pauses = 0
  /// The states that the history goes back to, and forward to.
  var undoStates: [ProgramState?] = []
  var redoStates: [ProgramState?] = []

  /// The changes of the open transactions, outermost first, behind those outside of them.
  private(set) var touches = [Touches()]
  /// The properties that were taken back in the present step.
  private(set) var takenBack: Set<ItemPlace> = []
  /// The values of bound properties before bindings write.
  private(set) var valuesBeforeBindings: [ItemPlace: Value] = [:]
  private let reports = Reports()
  private var time = 0
  /// How many actions callbacks have run, and those of each observer.
  private(set) var actionCount = 0
  private var actionCounts: [Int: Int] = [:]
  private var registering: Set<Int> = []
  var step = 0

  struct ProgramState: Equatable {
    var items: [Int: ItemState]
    var entries: [String: Int]
  }

  private init(_ program: TransactionProgram) {
    self.program = program
    historyModel = HistoryModel(program.traits)
  }

  /// Runs a program in a task of its own handler, so that nothing is reported.
  static func run(_ program: TransactionProgram) -> TransactionRun {
    let run = TransactionRun(program)
    KeyValueDiagnostics.withHandler({ [reports = run.reports] in reports.add($0) }) { run.run() }
    return run
  }

  func fail(_ fault: String) { faults.append("step \(step + 1): \(fault)") }

  private func run() {
    variables = (0..<TransactionProgram.variableCount).map { makeItem($0) }
    if program.traits.contains(.history), let first = variables[0] {
      let history = KeyValueHistory(
        of: first, includingReachable: true,
        limit: program.traits.contains(.limit) ? TransactionProgram.historyLimit : nil,
        coalescing: program.traits.contains(.coalescing) ? .seconds(3600) : nil)
      for item in variables { item.map(history.record) }
      self.history = history
    }
    for (index, step) in program.steps.enumerated() {
      self.step = index
      events.append([])
      runOutermost(step)
      for item in variables { item?.observationContext.checkInvariants() }
      if !faults.isEmpty { break }
    }
    end()
  }

  /// Ends everything, and looks for what is left.
  private func end() {
    let faultsOfStreams = streams.flatMap(\.faults)
    for (index, fault) in faultsOfStreams.enumerated() where index < 4 { fail(fault) }
    history = nil
    bindings = [:]
    groups = [:]
    tokens = [:]
    for reference in made { reference.item?.next = nil }
    variables = []
    streams = []
    let left = census.alive
    if left > 0 { fail("\(left) items are left (P5, P54)") }
    checkReports(isLossy: false)
  }

  /// Looks for diagnostics.
  ///
  /// - `isLossy`: Whether a rollback may not have been able to put back a weak reference, whose object was deallocated
  ///   (P51).
  private func checkReports(isLossy: Bool) {
    for report in reports.take() {
      let isOfWeak = report.id == .unrestoredValue && report.keyPath == "friend"
      let isOfConversion =
        report.id == .unconvertedBoundValue && program.traits.contains(.conversions)
      if !isLossy || !isOfWeak, !isOfConversion { fail("reported: \(report)") }
    }
  }

  private func runOutermost(_ step: Step) {
    let gone = made.count - census.alive
    let before = state
    touches = [Touches()]
    takenBack = []
    valuesBeforeBindings = [:]
    for number in groups.keys { groups[number]?.start = 0 }
    let actions = actionCount
    for stream in streams { stream.beginStep() }
    do { try run(step) } catch {}
    let hasLost = made.count - census.alive > gone
    check(step, before: before, hasActed: actionCount > actions, hasLost: hasLost)
    checkReports(isLossy: hasLost && step.contains(\.mayRollBack))
    for stream in streams { stream.finishStep() }
    if streams.contains(where: { !$0.faults.isEmpty }) {
      for stream in streams { for fault in stream.faults { fail(fault) } }
    }
  }

  // MARK: Objects

  private func makeItem(_ variable: Int) -> Item {
    let item =
      TransactionProgram.isBranch(variable)
      ? BranchItem(number: made.count, census: census) : Item(number: made.count, census: census)
    made.append(Reference(item: item))
    history?.record(item)
    return item
  }

  func item(_ variable: Int) -> Item? { variables[variable] }

  var state: ProgramState {
    let items = made.compactMap(\.item)
    return ProgramState(
      items: Dictionary(uniqueKeysWithValues: items.map { ($0.number, ItemState(of: $0)) }),
      entries: Dictionary(uniqueKeysWithValues: entries.keys.map { ($0, entries[$0] as? Int ?? 0) })
    )
  }

  // MARK: Steps

  func note(_ item: Item, _ key: ItemKey, isEdit: Bool = false) {
    time += 1
    touches[touches.count - 1].note(
      ItemPlace(item, key), at: time, isEdit: isEdit, isRecorded: pauses == 0)
  }

  private func run(_ step: Step) throws {
    switch step {
    case .fail: throw Refusal()
    case .entry(let key, let value):
      if let value { entries[key] = value } else { entries.removeValue(forKey: key) }
    case .transaction(let form, let body): try transaction(form, body)
    case .observe(let watch): observe(watch)
    case .end(let observer):
      guard let token = tokens.removeValue(forKey: observer) else { return }
      streams.last { $0.watch.observer == observer }?.hasEnded = true
      token.invalidate()
    case .make(let variable):
      if variables[variable] == nil { variables[variable] = makeItem(variable) }
    case .drop(let variable):
      let item = variables[variable]
      variables[variable] = nil
      withExtendedLifetime(item) {}
    case .bind(let form): bind(form)
    case .unbind(let number): bindings.removeValue(forKey: number)?.token.invalidate()
    case .group(let number, let forms): makeGroup(number, forms)
    case .source(let group, let variable): setSource(of: group, to: variable)
    case .undo: comparesGroups ? takeBackInModel(isUndo: true) : takeBack(isUndo: true)
    case .redo: comparesGroups ? takeBackInModel(isUndo: false) : takeBack(isUndo: false)
    case .unrecorded(let body):
      pauses += 1
      defer { pauses -= 1 }
      try history?.withoutRecording { for step in body { try run(step) } }
    case .nameGroup(let name): nameGroup(name)
    case .endCoalescing: endCoalescing()
    case .removeAllGroups: removeAllGroups()
    case .scope(let variable, let key, let body):
      guard let item = item(variable) else { return }
      note(item, key)
      try item.withScope(of: key) { for step in body { try run(step) } }
    case .pair(let variable, let key, let body):
      guard let item = item(variable) else { return }
      item.willChange(key)
      // An error leaves the pair open.
      for step in body { try run(step) }
      note(item, key)
      item.didChange(key)
    default: change(step)
    }
  }

  private func transaction(_ form: TransactionForm, _ body: [Step]) throws {
    let before = state
    let actions = actionCount
    let name = historyModel.nameOfNext
    let silenced = Set(form.silenced.filter { tokens[$0] != nil })
    for stream in streams where silenced.contains(stream.watch.observer) {
      stream.isNamed = true
      if !program.traits.subtracting(.deallocations).isEmpty { stream.becomeUnclear() }
    }
    touches.append(Touches(silenced: touches[touches.count - 1].silenced.union(silenced)))
    do {
      try withKeyValueTransaction(
        onError: form.rollsBack ? .rollBack : .deliver,
        withoutNotifying: form.silenced.compactMap { tokens[$0] }
      ) {
        defer { if touches.count == 2 { keepValuesOfBindings() } }
        for step in body { try run(step) }
      }
      endTouches(isKept: true)
    } catch {
      endTouches(isKept: !form.rollsBack)
      if form.rollsBack { historyModel.nameOfNext = name }
      // Bindings to a source that was set inside write after the rollback of the outermost one (P68).
      let hasCopied = !isInTransaction && groups.values.contains { $0.start > 0 }
      if form.rollsBack, actionCount == actions, !hasCopied {
        compare(state, with: before, "rolled back (P50)")
      }
      if form.passesErrorOn { throw error }
    }
  }

  private func endTouches(isKept: Bool) {
    let ended = touches.removeLast()
    if isKept {
      touches[touches.count - 1].merge(ended)
    } else {
      takenBack.formUnion(ended.places.keys)
    }
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { touches.count > 1 }

  func keepValuesOfBindings() {
    func keep(_ side: BindingForm.Side, of root: Int) {
      guard let item = item(root)?.end(of: side.path), let key = side.path.last else { return }
      valuesBeforeBindings[ItemPlace(item, key)] = item.read(key)
    }
    for (form, _) in bindings.values {
      keep(form.first, of: form.first.root)
      keep(form.second, of: form.second.root)
    }
    for group in groups.values {
      for form in group.forms {
        if let source = group.source { keep(form.first, of: source) }
        keep(form.second, of: form.second.root)
      }
    }
  }

  func setValueBeforeBindings(_ value: Value, of place: ItemPlace) {
    valuesBeforeBindings[place] = value
  }

  // MARK: Observing

  private func observe(_ watch: Watch) {
    guard let item = item(watch.root), tokens[watch.observer] == nil else { return }
    let stream = Stream(watch, of: item, in: program.traits)
    streams.append(stream)
    registering.insert(watch.observer)
    tokens[watch.observer] = item.token(for: watch) { [unowned self, unowned stream] event in
      receive(event, stream)
    }
    registering.remove(watch.observer)
  }

  private func receive(_ event: Event, _ stream: Stream) {
    let watch = stream.watch
    events[events.count - 1].append(event)
    stream.receive(event)
    let count = actionCounts[watch.observer, default: 0]
    guard !event.isPrior, count < watch.actions.count else { return }
    actionCounts[watch.observer] = count + 1
    actionCount += 1
    // In `initial`, a transaction around the registration is open.
    let outer = touches
    if !registering.contains(watch.observer) { touches = [Touches()] }
    do { try run(watch.actions[count]) } catch {}
    if !registering.contains(watch.observer) { touches = outer }
  }

  private func bind(_ form: BindingForm) {
    guard let first = item(form.first.root), let second = item(form.second.root),
      bindings[form.number] == nil, let token = first.bind(form, to: second)
    else { return }
    bindings[form.number] = (form, token)
    if program.traits.contains(.conversions) { return }
    if let end = second.end(of: form.second.path), let key = form.second.path.last {
      note(end, key)
    }
  }

  private func makeGroup(_ number: Int, _ forms: [BindingForm]) {
    let group = KeyValueBindingGroup<Item>()
    for form in forms { if let item = item(form.second.root) { group.add(form, to: item) } }
    groups[number] = Group(forms: forms, group: group)
  }

  private func setSource(of number: Int, to variable: Int?) {
    guard groups[number] != nil else { return }
    time += 1
    groups[number]?.start = time
    groups[number]?.source = variable
    groups[number]?.group.source = variable.flatMap { item($0) }
  }
}
