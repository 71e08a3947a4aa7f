import TestSupport

/// Makes random programs.
///
/// Some things are left out, most of which the library's page of known limitations names. The
/// callbacks of prior notifications end observations and do nothing else, since some of these
/// stories have gaps (P11). Paths that take one key twice are strings, since a typed one does not
/// know its parts if it meets an object twice (P26). Strings that end in an object do not ask for
/// `distinct`, which drops a nil that follows a nil there and not elsewhere (P9). A mutation block of
/// a link contains sets of that link alone, since the old values of what is set behind it do not
/// chain (P11), and one of a computed key stands by itself. An observer of an array with `distinct`
/// and a pair for elements are not in one program (P19), and no path to an array has `distinct`, since it
/// may begin to read the array in a block and not be notified of what the block changes (P11).
struct Generator {
  private var random: SplitMix
  private var observers = 0
  /// The pairs that are open.
  private var pairs: [(variable: Int, key: Key)] = []
  /// The starts of the observed paths, which are changed more often than others.
  private var observed: [(variable: Int, key: Key)] = []
  private var acts = false
  private var hasElementPairs = false

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
  }

  mutating func program() -> Program {
    // A fifth of the programs is about values and links alone, where callbacks only record.
    acts = random.chance(80)
    hasElementPairs = random.chance(60)
    var statements: [Statement] = []
    for _ in 0..<(1 + random.below(4)) { statements.append(link()) }
    for _ in 0..<(2 + random.below(4)) { statements.append(registration(acts: acts)) }
    for _ in 0..<(14 + random.below(14)) { statements.append(statement()) }
    return Program(statements: statements)
  }

  private mutating func statement() -> Statement {
    switch random.below(38) {
    case 0..<3: registration(acts: acts)
    case 3: .end(observer: random.below(max(observers, 1)))
    case 4: .drop(variable())
    case 5: .make(variable())
    case 6..<16: half()
    case 16, 17: scopeOfComputedKey()
    case 18..<23: scope(depth: 0)
    default: change()
    }
  }

  /// Returns the action of a callback.
  ///
  /// No object is deallocated there, because the time would depend on snapshots.
  private mutating func action(at path: [Key], of root: Int) -> Statement {
    // Many changes that end are no loop (P18).
    if random.chance(40) {
      return .burst(root, random.pick(Key.numbers), 3..<(104 + random.below(50)))
    }
    switch random.below(10) {
    case 0: return registration(acts: random.chance(30))
    case 1: return .end(observer: random.below(max(observers, 1)))
    case 2: return half()
    case 3..<7:
      // The property in delivery, most of all: that has to wait (P11).
      let key = path[0].isComputed ? .x : path[0]
      return .set(root, key, operand(of: key))
    default: return change()
    }
  }

  // MARK: Changes

  private mutating func change(depth: Int = 0) -> Statement {
    switch random.below(20) {
    case 0, 1, 2, 3: return .edit(variable(observing: .tags), edit(), by: .proxy)
    case 4, 5: return manualEdit()
    case 6, 7, 8:
      let mutation = mutation()
      return .mutate(variable(observing: mutation.key), mutation)
    case 9: return depth < 2 ? scope(depth: depth) : link()
    case 10..<14: return link()
    case 14, 15: return .set(Program.variableCount - 1, random.pick([.y, .bonus]), number())
    default:
      let key = random.pick([Key.x, .x, .y, .tags])
      return .set(variable(observing: key), key, operand(of: key))
    }
  }

  private mutating func link() -> Statement {
    let key = random.pick(Key.links)
    return .set(variable(), key, operand(of: key))
  }

  private mutating func scope(depth: Int) -> Statement {
    let (variable, key) = target(of: Key.stored + [.x, .y, .tags])
    let body = (0..<(1 + random.below(3))).map { _ -> Statement in
      if key.isLink || random.chance(40) { return .set(variable, key, operand(of: key)) }
      return random.chance(20)
        ? half(of: variable, key, isWill: random.chance(50)) : change(depth: depth + 1)
    }
    return .scope(variable, key, body)
  }

  private mutating func scopeOfComputedKey() -> Statement {
    let body = (0..<random.below(4)).map { _ in change(depth: 2) }
    let (variable, key) = target(of: Key.computed)
    return .scope(variable, key, body)
  }

  /// One half of a pair, most often one that fits to what is open.
  private mutating func half() -> Statement {
    if !pairs.isEmpty, random.chance(55) {
      let last = pairs.remove(at: random.chance(70) ? pairs.count - 1 : random.below(pairs.count))
      return half(of: last.variable, last.key, isWill: false)
    }
    let (variable, key) = target(of: random.chance(40) ? Key.computed : Key.common)
    if random.chance(10) { return half(of: variable, key, isWill: false) }
    pairs.append((variable, key))
    return half(of: variable, key, isWill: true)
  }

  private mutating func half(of variable: Int, _ key: Key, isWill: Bool) -> Statement {
    let byKey = random.chance(30)
    return isWill ? .will(variable, key, byKey: byKey) : .did(variable, key, byKey: byKey)
  }

  private mutating func mutation() -> Mutation {
    switch random.below(6) {
    case 0, 1, 2: .add(random.pick(Key.numbers), random.below(3))
    case 3: .append(random.below(3))
    case 4: .removeAll(random.below(3))
    default: .failAfterAppending(random.below(3))
    }
  }

  private mutating func edit() -> TagsEdit {
    switch random.below(4) {
    case 0: .append((0..<(1 + random.below(2))).map { _ in random.below(3) })
    case 1: .removeAll(random.below(3))
    case 2: .sort
    default: elementEdit()
    }
  }

  private mutating func manualEdit() -> Statement {
    .edit(
      variable(observing: .tags), elementEdit(),
      by: hasElementPairs && random.chance(50) ? .pair : .block)
  }

  private mutating func elementEdit() -> TagsEdit {
    let place = random.below(4)
    return switch random.below(4) {
    case 0, 1: .insert(random.below(3), at: place)
    case 2: .remove(at: place)
    default: .replace(at: place, with: random.below(3))
    }
  }

  /// Few different values, so that equal ones are often assigned.
  private mutating func operand(of key: Key) -> Operand {
    switch key {
    case .tags: .list((0..<random.below(3)).map { _ in random.below(3) })
    case .next, .friend: .node(random.chance(25) ? nil : variable())
    default: number()
    }
  }

  private mutating func number() -> Operand { .number(random.below(3)) }

  /// Some property, most often one that is observed.
  private mutating func target(of keys: [Key]) -> (variable: Int, key: Key) {
    let candidates = observed.filter { keys.contains($0.key) }
    return candidates.isEmpty || random.chance(40)
      ? (variable(), random.pick(keys)) : random.pick(candidates)
  }

  private mutating func variable(observing key: Key) -> Int { target(of: [key]).variable }

  private mutating func variable() -> Int { random.below(Program.variableCount) }

  // MARK: Observing

  private mutating func registration(acts: Bool) -> Statement {
    let observer = observers
    observers += 1
    var path = (0..<min(random.below(4), random.below(4))).map { _ in random.pick(Key.links) }
    path.append(random.pick(Key.common + [.tags, .y]))
    var options: Set<Option> = []
    for option in Option.allCases where random.chance(option == .distinct ? 20 : 50) {
      options.insert(option)
    }
    var surface = random.pick(Surface.allCases)
    if Set(path).count < path.count { surface = .string }
    if surface == .string, path.last?.isLink == true { options.remove(.distinct) }
    if path.last == .tags, hasElementPairs || path.count > 1 { options.remove(.distinct) }
    let root = variable()
    observed.append((root, path[0]))
    var registration = Registration(
      observer: observer, root: root, path: path, options: options, surface: surface)
    if acts, random.chance(70) {
      registration.actions = (0...random.below(2)).map { _ in action(at: path, of: root) }
    }
    if options.contains(.prior), random.chance(40) {
      registration.priorActions = (0..<(1 + random.below(2))).map { _ in
        .end(observer: random.chance(40) ? observer : random.below(observers + 1))
      }
    }
    return .observe(registration)
  }
}
