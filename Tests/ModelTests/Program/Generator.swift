import TestSupport

/// Makes random programs.
///
/// Three things are left out, two of which the library's page of known limits names. Callbacks do not
/// act on a `prior`, since some of these stories have gaps (P11). Paths that take one key twice are
/// strings, since a typed one does not know its parts where it meets an object twice (P26). And
/// strings that end in an object do not ask for `distinct`, which drops a nil that follows a nil there
/// and not elsewhere (P9).
struct Generator {
  private var random: SplitMix
  private var observers = 0

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
  }

  mutating func program() -> Program {
    // Every other program is about values and links alone, where callbacks only listen.
    let acts = random.chance(50)
    var statements: [Statement] = []
    for _ in 0..<random.below(4) { statements.append(link()) }
    for _ in 0...random.below(4) { statements.append(registration(acts: acts)) }
    for _ in 0..<(3 + random.below(12)) { statements.append(statement(acts: acts)) }
    return Program(statements: statements)
  }

  private mutating func statement(acts: Bool) -> Statement {
    switch random.below(20) {
    case 0..<3: registration(acts: acts)
    case 3: .end(observer: random.below(max(observers, 1)))
    case 4: .drop(variable())
    case 5: .make(variable())
    default: change()
    }
  }

  /// Returns the action of a callback.
  ///
  /// No object is deallocated there, because the time would depend on snapshots.
  private mutating func action(at path: [Key], of root: Int) -> Statement {
    // Many changes that end are no loop (P18).
    if random.below(50) == 0 {
      return .burst(root, random.pick([.x, .y]), 3..<(4 + random.below(200)))
    }
    switch random.below(10) {
    case 0: return registration(acts: random.chance(30))
    case 1: return .end(observer: random.below(max(observers, 1)))
    case 2..<7:
      // The property in delivery, most of all: that has to wait (P11).
      let key = path[0].isComputed ? .x : path[0]
      return .set(root, key, operand(of: key))
    default: return change()
    }
  }

  private mutating func change() -> Statement {
    switch random.below(10) {
    case 0, 1: return .edit(variable(), edit())
    case 2:
      let key = random.pick(Key.stored)
      return .scope(variable(), key, (0..<random.below(3)).map { _ in operand(of: key) })
    case 3, 4, 5: return link()
    default:
      let key = random.pick([Key.x, .x, .y, .tags])
      return .set(variable(), key, operand(of: key))
    }
  }

  private mutating func link() -> Statement {
    let key = random.pick(Key.links)
    return .set(variable(), key, operand(of: key))
  }

  private mutating func registration(acts: Bool) -> Statement {
    let observer = observers
    observers += 1
    var path = (0..<min(random.below(4), random.below(4))).map { _ in random.pick(Key.links) }
    path.append(random.pick(Key.allCases))
    var options: Set<Option> = []
    for option in Option.allCases where random.chance(option == .distinct ? 20 : 50) {
      options.insert(option)
    }
    var surface = random.pick(Surface.allCases)
    if Set(path).count < path.count { surface = .string }
    if surface == .string, path.last?.isLink == true { options.remove(.distinct) }
    let root = variable()
    var actions: [Statement] = []
    if acts, random.chance(50) {
      actions = (0...random.below(2)).map { _ in action(at: path, of: root) }
    }
    return .observe(
      Registration(
        observer: observer, root: root, path: path, options: options, surface: surface,
        actions: actions))
  }

  private mutating func edit() -> TagsEdit {
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
    default: .number(random.below(3))
    }
  }

  private mutating func variable() -> Int { random.below(Program.variableCount) }
}

extension SplitMix {
  /// Whether something happens that happens so often in a hundred.
  fileprivate mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  fileprivate mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
    choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
  }
}
