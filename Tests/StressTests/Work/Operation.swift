import TestSupport

/// The next step of a thread.
enum Operation: CaseIterable {
  // With objects of its own, whose notifications are known beforehand.
  case setOwn, setOwnByKey, setOwnLink, setOwnTail, changeOwnInScope, changeOwnInPair, editOwnArray
  case setOwnMark, setOwnBonus, transactOwn, rollBackOwn
  case observeOwn, endOwn, renewOwn
  // With objects that all threads set.
  case setShared, setSharedMark, setSharedBonus, setSharedByKey, setAlongPath, replaceLink,
    replaceWeakLink, replaceCrowd
  case replaceInScope, replaceInPair, editSet, replaceObject, read
  // With observations of those.
  case watch, endWatch, endOffered, consume, cancelConsumer

  /// How often it is drawn.
  var weight: Int {
    switch self {
    case .setOwn: 32
    case .setOwnByKey, .setOwnLink, .setOwnTail, .editOwnArray: 5
    case .setOwnMark, .setOwnBonus, .transactOwn, .rollBackOwn: 4
    case .changeOwnInScope, .changeOwnInPair: 4
    case .observeOwn, .endOwn: 4
    case .renewOwn: 1
    case .setShared: 12
    case .setSharedMark, .setSharedBonus: 3
    case .setSharedByKey, .setAlongPath: 3
    case .replaceLink: 4
    case .replaceWeakLink, .editSet: 2
    case .replaceCrowd, .replaceInScope, .replaceInPair: 1
    case .replaceObject: 1
    case .read: 6
    case .watch: 6
    case .endWatch: 3
    case .endOffered: 1
    case .consume, .cancelConsumer: 1
    }
  }

  private static let drawn = allCases.flatMap { Array(repeating: $0, count: $0.weight) }

  static func draw(_ random: inout SplitMix) -> Operation { drawn[random.below(drawn.count)] }
}
