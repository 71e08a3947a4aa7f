import KeyValueObserving

/// One change on its way to one follower.
final class Turn {
  let follower: Follower
  let role: Follower.Role
  let place: Place
  /// The attachment of the follower to the property when the change began.
  let attachment: Int?
  var kind = KeyValueChangeKind.setting
  var indexes: [Int]?
  /// Absent if there is none: a deallocated object has no value, and an insertion removes nothing.
  var old: Value?
  var new: Value?
  /// The whole value after the change, which `distinct` compares.
  var after: Value = .none
  /// The observers of a computed key.
  var audience: [Turn] = []
  /// Whether it is that of an observer of a computed key which reads the changed property itself as well: it takes
  /// place only if the observer has left that before the change is made.
  var isSpare = false
  /// The later changes of a computed key, which wait for this one (P11).
  var waiting: [[Turn]] = []
  /// Its turn has come; it is delivered as soon as older changes have been.
  var isDue = false
  var isBeingNotified = false

  init(_ follower: Follower, _ role: Follower.Role, at place: Place, attachment: Int? = nil) {
    self.follower = follower
    self.place = place
    self.role = role
    self.attachment = attachment
  }

  /// Whether it belongs to a mutation block, and is one of `ModelScope.joined`.
  var isJoined = false
  /// Whether it has the elements of an edit in place of whole values.
  var isEdit: Bool { role == .leaf && kind != .setting }

  var reason: KeyValueChangeReason { role == .link ? .pathChanged : .valueChanged }
}

/// A change of a property that has begun.
struct ModelChange {
  let place: Place
  let node: ModelNode
  let edit: PlannedEdit?
  /// The followers that were attached when it began (P13), in the order of notification (P10).
  let followers: [Follower]
  /// The turns of those that are notified of it.
  var turns: [Turn]
  /// Computed keys whose own mutation block is open: their change is a part of that of the block.
  var deferred: [Follower]

  /// With the observers of computed keys.
  var allTurns: [Turn] { turns + turns.flatMap(\.audience) }
}

/// A mutation block that is open.
final class ModelScope {
  let place: Place
  let change: ModelChange
  /// The changes of followers that have begun to read the property in it, in that order: they come behind the others.
  private(set) var joined: [Turn] = []
  /// Those that have come with an observer.
  var excluded: [Follower] = []

  init(of place: Place, _ change: ModelChange) {
    self.place = place
    self.change = change
  }

  func join(_ turn: Turn) {
    turn.isJoined = true
    joined.append(turn)
  }

  func hasJoined(_ follower: Follower) -> Bool { joined.contains { $0.follower === follower } }
}

/// The delivery of one property's changes.
final class ModelDelivery {
  let place: Place
  /// The later changes of the property, which wait for this one (P11).
  var waiting: [[Turn]] = []

  init(of place: Place) {
    self.place = place
  }
}
