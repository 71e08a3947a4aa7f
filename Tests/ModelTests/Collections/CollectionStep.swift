import TestSupport

/// A step of a program about the collections of four shelves, which live as long as it.
indirect enum CollectionStep: StepWithSteps {
  /// An edit of one of the arrays of a shelf.
  case edit(Int, array: Int, TagsEdit, CollectionForm)
  case set(Int, array: Int, [Int])
  /// An edit of the optional array: an insertion, or for nil a removal.
  case spare(Int, Int?)
  case members(Int, MemberEdit, Set<Int>, isComputed: Bool)
  case link(Int, Int?)
  /// A mutation block of a key.
  case block(Int, String, [CollectionStep])
  case transaction(rollsBack: Bool, [CollectionStep])
  case observe(CollectionWatch, [CollectionStep])
  case end(Int)
  case undo, redo

  var steps: [CollectionStep] {
    switch self {
    case .block(_, _, let steps), .transaction(_, let steps), .observe(_, let steps): steps
    default: []
    }
  }

  func with(_ steps: [CollectionStep]) -> CollectionStep {
    switch self {
    case .block(let shelf, let key, _): .block(shelf, key, steps)
    case .transaction(let rollsBack, _): .transaction(rollsBack: rollsBack, steps)
    case .observe(let watch, _): .observe(watch, steps)
    default: self
    }
  }
}

/// How an array is edited: one whose observers are notified manually in a block or a pair in any case.
enum CollectionForm: CaseIterable { case proxy, inPlace, block }

/// The edits of a set, by proxy but for the last one.
enum MemberEdit: CaseIterable { case union, subtract, intersect, exchange, update, assign, set }

/// An observer, which runs steps in its handler a few times.
struct CollectionWatch {
  let shelf: Int
  /// An index among the collections that can be observed.
  let collection: Int
  let receivesOld: Bool
  let receivesPriors: Bool
  let times: Int
}

/// A program, with a history of all shelves or without one, and with bindings of two or none.
struct CollectionProgram {
  let hasHistory: Bool
  let isBound: Bool
  var steps: [CollectionStep]

  init(seed: UInt64) {
    var generator = CollectionGenerator(random: SplitMix(seed: seed))
    hasHistory = generator.random.chance(35)
    isBound = generator.random.chance(30)
    steps = generator.program(hasHistory: hasHistory)
  }

  /// The smallest program with a fault that leaving out steps leads to.
  func shrunk(where fails: (CollectionProgram) -> Bool) -> CollectionProgram {
    var smallest = self
    smallest.steps = steps.shrunk { steps in
      var program = self
      program.steps = steps
      return fails(program)
    }
    return smallest
  }
}

private struct CollectionGenerator {
  var random: SplitMix
  private var value = 30

  init(random: SplitMix) { self.random = random }

  mutating func program(hasHistory: Bool) -> [CollectionStep] {
    var steps: [CollectionStep] = []
    for shelf in 0..<3 where random.chance(75) { steps.append(.link(shelf, random.below(4))) }
    for _ in 0..<(1 + random.below(4)) { steps.append(observer(at: 0)) }
    for _ in 0..<(4 + random.below(12)) {
      let takesBack = hasHistory && random.chance(15)
      steps.append(takesBack ? random.pick([.undo, .undo, .redo]) : step(at: 0))
    }
    return steps
  }

  private mutating func steps(at depth: Int) -> [CollectionStep] {
    depth > 3 ? [] : (0..<random.below(4)).map { _ in step(at: depth) }
  }

  private mutating func observer(at depth: Int) -> CollectionStep {
    let watch = CollectionWatch(
      shelf: random.below(3), collection: random.below(WatchedCollection.all.count),
      receivesOld: random.chance(60), receivesPriors: random.chance(25), times: 1 + random.below(2))
    return .observe(watch, random.chance(50) ? steps(at: depth + 1) : [])
  }

  private mutating func number() -> Int {
    value += 1
    return random.chance(50) ? random.below(3) : value
  }

  private mutating func edit() -> TagsEdit {
    let place = random.below(6)
    return switch random.below(10) {
    case 0, 1, 2: .insert(number(), at: place)
    case 3: .append([number(), number()])
    case 4, 5: .remove(at: place)
    case 6: .replace(at: place, with: number())
    case 7, 8: .removeAll(random.below(3))
    default: .sort
    }
  }

  private mutating func step(at depth: Int) -> CollectionStep {
    let shelf = random.below(4)
    let array = random.chance(40) ? 0 : random.below(Shelf.arrays.count)
    switch random.below(24) {
    case 0...8: return .edit(shelf, array: array, edit(), random.pick(CollectionForm.allCases))
    case 9, 10: return .set(shelf, array: array, (0..<random.below(4)).map { _ in number() })
    case 11: return .spare(shelf, random.chance(60) ? number() : nil)
    case 12, 13:
      let members = Set((0..<random.below(3)).map { _ in random.below(5) })
      return .members(
        shelf, random.pick(MemberEdit.allCases), members, isComputed: random.chance(40))
    case 14, 15: return .link(random.below(3), random.chance(15) ? nil : random.below(4))
    case 16:
      let key = random.pick(["items", "shown", "ordered", "listed", "spare", "marks", "shownMarks"])
      return .block(shelf, key, steps(at: depth + 1))
    case 17...20: return .transaction(rollsBack: random.chance(45), steps(at: depth + 1))
    case 21, 22: return observer(at: depth)
    default: return .end(random.below(6))
    }
  }
}
