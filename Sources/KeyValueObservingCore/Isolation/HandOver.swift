internal import Synchronization

/// The position of a piece of work among all that is handed to actors.
///
/// A change that is being delivered on an actor has one too: what was handed over later follows the change (P40).
struct HandOver: Equatable {
  // Numbers that are compared are less than half of all numbers apart.
  private let number: UInt32

  private static let lastNumber = Atomic<UInt32>(0)

  /// The position of all that was handed over until now.
  static var last: HandOver { HandOver(number: lastNumber.load(ordering: .acquiring)) }

  /// The position of the next piece of work.
  static func next() -> HandOver {
    HandOver(number: lastNumber.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue)
  }

  static func <= (left: HandOver, right: HandOver) -> Bool {
    Int32(bitPattern: left.number &- right.number) <= 0
  }
}
