import KeyValueObserving
import TestSupport

/// The work of one thread: operations drawn at random, one after the other.
final class Worker: StressWorker, @unchecked Sendable {  // used by one thread at a time
  let world: World
  var random: SplitMix
  var own: [OwnObject] = []
  /// Observations that it or another thread will end, or that are not ended.
  var watches: [Watch] = []
  var consumers: [Task<[Int], Never>] = []
  /// The last number that was stored somewhere; each is stored once.
  private var lastNumber: Int

  init(_ number: Int, in world: World, seed: UInt64) {
    self.world = world
    random = SplitMix(seed: seed &+ UInt64(number))
    lastNumber = number << 40
    for place in 0..<4 {
      own.append(OwnObject(in: world, isConsumed: false, isBranch: place % 2 == 0))
    }
  }

  func run(_ operations: Int) {
    for _ in 0..<operations { perform(Operation.draw(&random)) }
    while !consumers.isEmpty { cancelConsumer() }
  }

  func end() { for object in own { object.end() } }

  private func perform(_ operation: Operation) {
    switch operation {
    case .setOwn: anyOwn.set(nextNumber())
    case .setOwnByKey: anyOwn.setByKey(nextNumber())
    case .setOwnLink: anyOwn.replaceTail(nextNumber())
    case .setOwnTail: anyOwn.setTail(nextNumber())
    case .changeOwnInScope: anyOwn.setInScope([nextNumber(), nextNumber()])
    case .changeOwnInPair: anyOwn.setInPair(nextNumber())
    case .editOwnArray: anyOwn.edit(nextNumber(), isRemoval: random.chance(50))
    case .setOwnMark: anyOwn.setMark(nextNumber())
    case .setOwnBonus: anyOwn.setBonus(nextNumber())
    case .transactOwn: anyOwn.setInTransaction([nextNumber(), nextNumber()])
    case .rollBackOwn: anyOwn.rollBack(nextNumber())
    case .observeOwn: anyOwn.observe(&random)
    case .endOwn: anyOwn.endSome(&random)
    case .renewOwn: renewOwn()
    case .setShared: world.anyShared(&random)?.value = nextNumber()
    case .setSharedMark: world.anyShared(&random)?.mark = nextNumber()
    case .setSharedBonus: setSharedBonus()
    case .setSharedByKey: setSharedByKey()
    case .setAlongPath: setAlongPath()
    case .replaceLink: replaceLink { $0.child = $1 }
    case .replaceWeakLink: replaceWeakLink()
    case .replaceCrowd: replaceCrowd()
    case .replaceInScope: replaceInScope()
    case .replaceInPair: replaceInPair()
    case .editSet: editSet()
    case .replaceObject: world.replaceNode(&random)
    case .read: read()
    case .watch: watch()
    case .endWatch: endWatch()
    case .endOffered: world.endOffered(random.below(1000), by: anyEnding())
    case .consume: consume()
    case .cancelConsumer: cancelConsumer()
    }
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func anyEnding() -> Watch.Ending { random.chance(60) ? .invalidate : .drop }

  // MARK: Own objects

  private var anyOwn: OwnObject { own[random.below(own.count)] }

  private func renewOwn() {
    let place = random.below(own.count)
    own[place].end()
    own[place] = OwnObject(
      in: world, isConsumed: random.chance(30), isBranch: random.chance(50))
    world.visit(own[place].node, &random)
  }
}
