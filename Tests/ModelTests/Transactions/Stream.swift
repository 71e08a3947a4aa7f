import KeyValueObserving

/// The changes that one observation has received, and whether they fit together.
final class Stream {
  let watch: Watch
  private(set) weak var root: Item?
  /// The value that it has received last or was registered with; nil if it does not request it.
  private var last: Value?
  private let traits: TransactionProgram.Traits
  private var isRegistered = false
  private var openPriors = 0
  private(set) var faults: [String] = []
  var hasEnded = false
  /// Whether it is not certain what it receives in this step: it is named by a transaction, beside other
  /// changes, or an object has been deallocated, which sends no prior notification.
  private var isUnclear = false
  /// Whether it is named by a transaction, so that it may receive no prior notification of a first change.
  var isNamed = false

  /// The changes that were received in the present step of the program.
  private(set) var received: [Event] = []
  private(set) var priorCount = 0
  /// The reason of the first prior notification in that step.
  private(set) var reasonOfPrior: KeyValueChangeReason?
  /// How it was before that step; nil if it was registered in it.
  private(set) var start: Start?

  struct Start {
    let value: Value
    let values: Set<ItemPlace>
    let links: Set<ItemPlace>
  }

  init(_ watch: Watch, of root: Item, in traits: TransactionProgram.Traits) {
    self.traits = traits
    self.watch = watch
    self.root = root
    isUnclear = isConcernedByDeallocations
    if watch.wants(.old), watch.wants(.new) { last = root.read(watch.path) }
  }

  private var name: String { "o\(watch.observer) \(watch.path.map(\.rawValue))" }

  func fail(_ fault: String) { faults.append("\(name): \(fault)") }

  var value: Value? { root?.read(watch.path) }

  /// The end of an object sends no prior notifications (P27).
  private var isConcernedByDeallocations: Bool {
    traits.contains(.deallocations) && (watch.path.contains(.friend) || watch.path.last == .echo)
  }

  func beginStep() {
    received = []
    priorCount = 0
    reasonOfPrior = nil
    start = nil
    isUnclear = false
    isNamed = false
    guard !hasEnded, let root else { return }
    isUnclear = isConcernedByDeallocations
    let (values, links) = root.inputs(of: watch.path)
    start = Start(value: root.read(watch.path), values: values, links: links)
  }

  func receive(_ event: Event) {
    if watch.wants(.initial), !isRegistered {
      isRegistered = true
      return take(event)
    }
    if event.isPrior {
      openPriors += 1
      priorCount += 1
      if priorCount == 1 { reasonOfPrior = event.reason }
      // Those of a set inside a callback come at once (P11), and several changes in one step may all be dropped (P9).
      let mayBeDropped = watch.wants(.distinct) && !traits.isDisjoint(with: [.conversions, .names])
      if openPriors > 1, traits.isDisjoint(with: [.actions, .pairs]), !mayBeDropped {
        fail("a second prior notification before the change (P47)")
      }
      if openPriors == 1 { checkOld(of: event) }
      return
    }
    received.append(event)
    if watch.wants(.prior) {
      // One that was sent without the name of an observer is followed by changes under others (P57).
      if openPriors == 0, !isUnclear, !isNamed, !traits.contains(.pairs) {
        fail("\(event) without a prior notification (P47)")
      }
      openPriors = max(openPriors - 1, 0)
    }
    checkOld(of: event)
    take(event)
  }

  private func checkOld(of event: Event) {
    // Those of a manual pair around a set do not chain (P19).
    guard !traits.contains(.pairs), !isUnclear, let last, watch.wants(.old), let old = event.old
    else { return }
    switch event.kind {
    case .setting: if old != last, !mayBreakChain(event) { fail("\(event) after \(last) (P11)") }
    case .insertion: fail("an insertion with an old value: \(event)")
    case .removal, .replacement:
      guard case .list(let list) = last, case .list(let removed) = old else { break }
      if let indexes = event.indexes {
        let found = indexes.filter(list.indices.contains).map { list[$0] }
        if found != removed { fail("\(event) of \(last) (P35)") }
      } else if !Set(removed).isSubset(of: list) {
        fail("\(event) of \(last) (P35)")
      }
    }
  }

  /// Whether an observer of a property that the `didSet` of another one sets may have led the path away from
  /// that, which is a known limitation.
  private func mayBreakChain(_ event: Event) -> Bool {
    traits.contains(.actions) && watch.path.last == .level && event.reason == .pathChanged
  }

  private func take(_ event: Event) {
    guard last != nil else { return }
    if event.kind == .setting { return last = event.new }
    guard case .list(var list)? = last else { return }
    let added: [Int] = if case .list(let added)? = event.new { added } else { [] }
    let removed: [Int] = if case .list(let removed)? = event.old { removed } else { [] }
    if let indexes = event.indexes {
      let count = event.kind == .insertion ? list.count + indexes.count : list.count
      if indexes.contains(where: { $0 >= count }) {
        return isUnclear ? () : fail("\(event) of \(list) (P35)")
      }
      switch event.kind {
      case .insertion:
        for (index, element) in zip(indexes, added) { list.insert(element, at: index) }
      case .removal: for index in indexes.reversed() { list.remove(at: index) }
      default: for (index, element) in zip(indexes, added) { list[index] = element }
      }
    } else {
      list = Set(list).subtracting(removed).union(added).sorted()
    }
    last = .list(list)
  }

  /// Notes that it is named by a transaction, and it is not known whether all changes are made there.
  func becomeUnclear() { isUnclear = true }

  /// Notes that a change was made under its name alone.
  func passOver() {
    openPriors = 0
    if last != nil { last = value }
  }

  /// Compares with how it is when all has been delivered.
  func finishStep() {
    guard !hasEnded, root != nil else { return }
    let isDistinct = watch.wants(.distinct)
    if openPriors > 0, !isDistinct, !isUnclear, !traits.contains(.pairs) {
      fail("a prior notification without its change (P47)")
    }
    if !traits.contains(.pairs) { openPriors = 0 }
    guard let last, let value else { return }
    if last != value, !isUnclear {
      fail("the last value is \(last), the present one \(value) (P11)")
    }
    self.last = value
  }
}
