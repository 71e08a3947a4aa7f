import KeyValueObserving

/// One change on its way to one follower.
final class Turn {
  let follower: Follower
  let role: Follower.Role
  var kind = KeyValueChangeKind.setting
  var indexes: [Int]?
  /// Absent if there is none: a deallocated object has no value, and an insertion removes nothing.
  var old: Value?
  var new: Value?
  /// The whole value after the change, which `distinct` compares.
  var after: Value = .none
  /// The observers of a computed key.
  var audience: [Turn] = []
  /// Its turn has come; it is delivered as soon as older changes have been.
  var isDue = false

  init(_ follower: Follower, _ role: Follower.Role) {
    self.follower = follower
    self.role = role
  }

  var reason: KeyValueChangeReason { role == .link ? .pathChanged : .valueChanged }
}

/// The delivery of one property's changes.
final class ModelDelivery {
  let place: Place
  /// The followers attached when the change began (P13), in the order of notification (P10).
  let turns: [Turn]
  /// The later changes of the property, which wait for this one (P11).
  var waiting: [[Turn]] = []

  init(of place: Place, to turns: [Turn]) {
    self.place = place
    self.turns = turns
  }
}
