public import CKeyValueObserving

/// The position of a piece of work among all that is handed to actors.
///
/// A change has one as well, from when it is made: its observers on an actor receive what was handed over before it
/// first, and what is handed over later after it (P11, P40).
@usableFromInline
struct HandOver: Equatable {
  @usableFromInline
  let number: UInt32

  @inlinable
  init(number: UInt32) { self.number = number }

  /// The position of a change that is not made yet.
  @inlinable static var none: HandOver { HandOver(number: 0) }

  /// The position behind all that was handed over until now.
  @inlinable static var last: HandOver { HandOver(number: kvo_hand_over_count()) }

  /// The position of the next piece of work.
  static func next() -> HandOver { HandOver(number: kvo_next_hand_over()) }

  /// Whether a position is not behind another one: those that are compared are less than half of all numbers apart.
  static func <= (left: HandOver, right: HandOver) -> Bool {
    Int32(bitPattern: left.number &- right.number) <= 0
  }
}
