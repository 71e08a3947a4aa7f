import TestSupport

/// Makes random programs with transactions.
///
/// Prior notifications only record, and callbacks open no mutation blocks, as the page of known limitations
/// says.
struct StepGenerator {
  var random: SplitMix
  let traits: TransactionProgram.Traits
  private var observers = 0
  var bindings = 0
  /// The sides of bindings that convert values, with those that are bound to each other.
  var boundSides: [Set<BindingForm.Side>] = []
  var groupCount = 0
  private let bindsLevels: Bool
  /// The beginnings of observed and bound paths, which are changed more often than others.
  var targets: [(variable: Int, key: ItemKey)] = []
  private var openPairs: [(variable: Int, key: ItemKey)] = []
  /// Whether a step of a callback is made.
  private var isActing = false

  /// The kinds of programs, each of which leaves out what makes an invariant of another one unclear.
  static let kinds: [TransactionProgram.Traits] = [
    [], [], [.deallocations], .actions, .actions, .history, [.history, .actions], .bindings,
    [.bindings, .history], [.bindings, .actions], .pairs, [.bindings, .conversions],
    [.bindings, .conversions, .history], [.history, .names],
  ]

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    bindsLevels = random.chance(20)
    var traits = Self.kinds[Int(seed % UInt64(Self.kinds.count))]
    if traits.contains(.names) {
      if random.chance(50) { traits.insert(.coalescing) }
      if random.chance(30) { traits.insert(.limit) }
    }
    self.traits = traits
  }

  mutating func program() -> TransactionProgram {
    var steps: [Step] = []
    for _ in 0..<(1 + random.below(4)) { steps.append(link()) }
    if hasBindingGroups { steps += bindingGroups() }
    if traits.contains(.bindings) {
      for _ in 0..<(1 + random.below(4)) { steps.append(binding()) }
    }
    for _ in 0..<(2 + random.below(6)) { steps.append(observation()) }
    for _ in 0..<(6 + random.below(10)) { steps.append(outermost()) }
    return TransactionProgram(traits: traits, steps: steps)
  }

  private mutating func outermost() -> Step {
    if traits.contains(.history), random.chance(35) { return random.chance(65) ? .undo : .redo }
    switch random.below(20) {
    case 0: return observation()
    case 1: return .end(observer: random.below(max(observers, 1)))
    case 2 where traits.contains(.deallocations): return .drop(variable())
    case 3 where traits.contains(.deallocations): return .make(variable())
    case 2 where traits == .bindings || traits == [.bindings, .conversions]:
      return random.chance(50) ? .unbind(random.below(4)) : binding()
    case 3 where hasBindingGroups, 4 where hasBindingGroups:
      return source()
    case 2 where traits.contains(.names), 3 where traits.contains(.names): return ofGroups()
    case 4 where traits.contains(.names), 5 where traits.contains(.names):
      let body = (0..<random.below(4)).map { _ in
        random.chance(20) ? random.chance(50) ? .undo : .redo : outermost()
      }
      return .unrecorded(body)
    case 4 where traits.contains(.pairs), 5 where traits.contains(.pairs): return half()
    case 6..<9: return change()
    default: return transaction(depth: 1)
    }
  }

  private mutating func transaction(depth: Int, isInCallback: Bool = false) -> Step {
    var form = TransactionForm()
    form.rollsBack = random.chance(80)
    form.passesErrorOn = random.chance(20)
    if random.chance(15) { form.silenced = [random.below(max(observers, 1))] }
    let count = random.below(depth > 1 ? 5 : 8)
    var body = (0..<count).map { _ in inner(depth: depth, isInCallback: isInCallback) }
    if random.chance(30) { body.append(.fail) }
    return .transaction(form, body)
  }

  /// A step in a transaction.
  private mutating func inner(depth: Int, isInCallback: Bool) -> Step {
    switch random.below(24) {
    case 0...2 where depth < 4:
      return transaction(depth: depth + 1, isInCallback: isInCallback)
    case 3: return observation()
    case 4: return .end(observer: random.below(max(observers, 1)))
    case 5 where hasBindingGroups, 6 where hasBindingGroups: return source()
    case 5 where traits.contains(.conversions), 6 where traits.contains(.conversions):
      return change()
    case 5 where !isInCallback, 6 where !isInCallback:
      let (variable, key) = target(of: ItemKey.stored)
      let body = (0..<random.below(3)).map { _ in change() }
      return random.chance(60) || !traits.contains(.pairs)
        ? .scope(variable, key, body) : .pair(variable, key, body)
    case 7 where traits.contains(.deallocations):
      return random.chance(50) ? .drop(variable()) : .make(variable())
    case 8 where traits.contains(.pairs), 9 where traits.contains(.pairs): return half()
    case 10: return .entry(random.pick(["a", "b"]), random.chance(30) ? nil : random.below(3))
    case 11 where traits.contains(.history): return random.chance(50) ? .undo : change()
    case 12 where traits.contains(.names): return nameGroup()
    case 13 where traits.contains(.names), 14 where traits.contains(.names):
      return .unrecorded(
        (0..<random.below(4)).map { _ in inner(depth: depth, isInCallback: isInCallback) })
    default: return change()
    }
  }

  /// One half of a pair, most often one that fits to what is open.
  private mutating func half() -> Step {
    if !openPairs.isEmpty, random.chance(60) {
      let last = openPairs.remove(at: random.below(openPairs.count))
      return .did(last.variable, last.key)
    }
    let (variable, key) = target(of: ItemKey.stored)
    openPairs.append((variable, key))
    return .will(variable, key)
  }

  // MARK: Changes

  private mutating func change() -> Step {
    // Edits that cancel out may or may not be recorded.
    switch random.below(12) {
    case 0 where traits.contains(.names), 1 where traits.contains(.names),
      2 where traits.contains(.names):
      return .append(target(of: [.tags]).variable, random.below(3))
    case 0, 1: return .edit(target(of: [.tags]).variable, edit())
    case 2:
      return .member(
        target(of: [.members]).variable, random.below(3), isInserted: random.chance(60))
    case 3:
      let (variable, key) = target(of: [.x, .y, .level, .mark, .bonus])
      return .add(variable, key, random.below(3))
    case 4: return .append(target(of: [.tags]).variable, random.below(3))
    case 5, 6: return link()
    default:
      let (variable, key) = target(of: ItemKey.stored + [.x, .y, .x, .y, .bonus])
      let operand = operand(of: key)
      // Private setters aside, a write by key is a set.
      return key != .bonus && random.chance(15)
        ? .setByKey(variable, key, operand) : .set(variable, key, operand)
    }
  }

  private mutating func link() -> Step {
    let key = random.pick(ItemKey.links)
    return .set(variable(), key, operand(of: key))
  }

  private mutating func edit() -> TagsEdit {
    let place = random.below(4)
    return switch random.below(8) {
    case 0, 1, 2: .insert(random.below(3), at: place)
    case 3, 4: .remove(at: place)
    case 5: .replace(at: place, with: random.below(3))
    case 6:
      random.chance(50) ? .append([random.below(3), random.below(3)]) : .removeAll(random.below(3))
    default: .sort
    }
  }

  private mutating func operand(of key: ItemKey) -> Operand {
    switch key {
    case .tags, .members: .list((0..<random.below(3)).map { _ in random.below(3) })
    case .next, .friend: .node(random.chance(25) ? nil : variable())
    case .level: .number(random.below(8))
    default: .number(random.below(4))
    }
  }

  private mutating func target(of keys: [ItemKey]) -> (variable: Int, key: ItemKey) {
    let candidates = targets.filter { keys.contains($0.key) && !isLeftOut($0.variable, $0.key) }
    if !candidates.isEmpty, random.chance(60) { return random.pick(candidates) }
    let (variable, key) = (variable(), random.pick(keys))
    return (variable, isLeftOut(variable, key) ? .x : key)
  }

  // A history does not record a property that a subclass computes. That an observer sets a property while the
  // property's `didSet` sets another one is a known limitation.
  func isLeftOut(_ variable: Int, _ key: ItemKey) -> Bool {
    isActing && key == .level
      || traits.contains(.history) && key == .y && TransactionProgram.isBranch(variable)
  }

  mutating func variable() -> Int { random.below(TransactionProgram.variableCount) }

  // MARK: Observing

  private mutating func observation() -> Step {
    let observer = observers
    observers += 1
    var path = (0..<min(random.below(3), random.below(3))).map { _ in random.pick(ItemKey.links) }
    path.append(random.pick(ItemKey.stored + ItemKey.computed + [.x, .y, .tags]))
    let root = variable()
    var options: Set<Option> = [.old, .new]
    if random.chance(20) { options = Set(Option.allCases.filter { _ in random.chance(50) }) }
    if random.chance(30) { options.insert(.prior) }
    if random.chance(20) { options.insert(.initial) }
    if random.chance(15) { options.insert(.distinct) }
    // Objects that are not `Equatable` are no values that it compares, and what it compares with along a path
    // to a collection is a known limitation.
    if path.last?.isLink == true || path.count > 1 && [.tags, .members].contains(path.last) {
      options.remove(.distinct)
    }
    let target: ItemKey = path[0].isComputed || isLeftOut(root, path[0]) ? .x : path[0]
    targets.append((root, target))
    var watch = Watch(
      observer: observer, root: root, path: path, options: options,
      isString: random.chance(40) || Set(path).count < path.count)
    if traits.contains(.actions), random.chance(60) {
      watch.actions = (0...random.below(2)).map { _ in action(of: watch) }
    }
    return .observe(watch)
  }

  /// A step of a callback: most of all a change of what is being delivered.
  private mutating func action(of watch: Watch) -> Step {
    let outer = isActing
    isActing = true
    defer { isActing = outer }
    let key: ItemKey =
      watch.path[0].isComputed || isLeftOut(watch.root, watch.path[0]) ? .x : watch.path[0]
    switch random.below(10) {
    case 0: return observation()
    case 1: return .end(observer: random.below(max(observers, 1)))
    case 2...4: return .set(watch.root, key, operand(of: key))
    case 5, 6: return change()
    default: return transaction(depth: 3, isInCallback: true)
    }
  }

  private mutating func binding() -> Step {
    if traits.contains(.conversions) { return convertingBinding() }
    let number = bindings
    bindings += 1
    // A level sets the mark of its item, so the two would set each other without end.
    let keys: [ItemKey] = bindsLevels ? [.x, .level] : [.x, .y, .mark]
    let form = BindingForm(number: number, first: side(keys), second: side(keys))
    for side in [form.first, form.second] { targets.append((side.root, side.path[0])) }
    return .bind(form)
  }

  private mutating func side(_ keys: [ItemKey]) -> BindingForm.Side {
    let isDeep = random.chance(15)
    let (root, key) = (variable(), random.pick(keys))
    return BindingForm.Side(
      root: root, path: (isDeep ? [.next] : []) + [isDeep || isLeftOut(root, key) ? .x : key])
  }
}
