import TestSupport

/// A step of a program: the crates 0 to 2 live as long as it, those in the slots 3 and 4 until they are released.
indirect enum ChainStep: StepWithSteps {
  case setX(Int, Int)
  case setLabel(Int, Int)
  case setOwner(Int, Int?)
  case setNext(Int, Int?)
  /// Releases a crate, maybe for a new one with a value.
  case exchange(slot: Int, x: Int?)
  case block(Int, String, [ChainStep])
  case transaction(rollsBack: Bool, [ChainStep])
  case observe(ChainWatch, [ChainStep])
  case end(Int)

  var steps: [ChainStep] {
    switch self {
    case .block(_, _, let steps), .transaction(_, let steps), .observe(_, let steps): steps
    default: []
    }
  }

  func with(_ steps: [ChainStep]) -> ChainStep {
    switch self {
    case .block(let crate, let key, _): .block(crate, key, steps)
    case .transaction(let rollsBack, _): .transaction(rollsBack: rollsBack, steps)
    case .observe(let watch, _): .observe(watch, steps)
    default: self
    }
  }
}

/// An observer, which runs steps in its handler a few times.
struct ChainWatch {
  let crate: Int
  /// An index among the key paths.
  let keyPath: Int
  let receivesPriors: Bool
  let times: Int
}

extension [ChainStep] {
  static func program(_ seed: UInt64) -> [ChainStep] {
    var generator = ChainGenerator(random: SplitMix(seed: seed))
    return generator.program()
  }
}

private struct ChainGenerator {
  var random: SplitMix
  private var value = 30

  init(random: SplitMix) { self.random = random }

  mutating func program() -> [ChainStep] {
    var steps: [ChainStep] = []
    for crate in 0..<3 {
      if random.chance(65) { steps.append(.setNext(crate, random.below(5))) }
      if random.chance(65) { steps.append(.setOwner(crate, 3 + random.below(2))) }
    }
    for _ in 0..<(2 + random.below(4)) { steps.append(observer(at: 0)) }
    for _ in 0..<(4 + random.below(14)) { steps.append(step(at: 0)) }
    return steps
  }

  private mutating func steps(at depth: Int) -> [ChainStep] {
    depth > 3 ? [] : (0..<random.below(4)).map { _ in step(at: depth) }
  }

  private mutating func observer(at depth: Int) -> ChainStep {
    let watch = ChainWatch(
      crate: random.below(3), keyPath: random.below(Crate.keyPaths.count),
      receivesPriors: random.chance(30), times: 1 + random.below(2))
    return .observe(watch, random.chance(50) ? steps(at: depth + 1) : [])
  }

  private mutating func step(at depth: Int) -> ChainStep {
    value += 1
    let crate = random.below(3)
    let target = random.chance(15) ? nil : random.below(5)
    return switch random.below(20) {
    case 0...4: .setX(random.below(5), value)
    case 5: .setLabel(random.below(5), value)
    case 6: .setOwner(crate, target)
    case 7, 8: .setNext(crate, target)
    case 9...12: .exchange(slot: 3 + random.below(2), x: random.chance(25) ? value : nil)
    case 13, 14: .block(crate, random.pick(Crate.keys), steps(at: depth + 1))
    case 15, 16: .transaction(rollsBack: random.chance(50), steps(at: depth + 1))
    case 17, 18: observer(at: depth)
    default: .end(random.below(6))
    }
  }
}
