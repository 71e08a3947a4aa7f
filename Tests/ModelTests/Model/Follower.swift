/// An observer of changes, or a computed key on behalf of its observers.
class Follower {
  /// The role of a property for a follower.
  enum Role {
    /// It leads to the next object of the path.
    case link
    /// It has the value.
    case leaf
    /// It has the value, which a getter computes; for a path.
    case computed
    /// The value is computed from it.
    case input
  }

  struct Attachment: Equatable {
    let place: Place
    let role: Role
  }

  let root: ModelNode
  var hasEnded = false
  var attachments: [Attachment] = []
  /// For each property, the number of the attachment: another one after it was left in between.
  var attachmentNumbers: [Place: Int] = [:]
  /// The changes of mutation blocks that are open, whose old values follow what is delivered
  /// meanwhile, so that those of a follower chain (P11).
  var openTurns: [Turn] = []
  /// The changes that were made and are not completely delivered, in that order (P11).
  var story: [Turn] = []

  init(root: ModelNode) {
    self.root = root
  }

  var value: Value { .none }

  /// Whether its old values are captured for each follower: not for an observer of the key itself.
  var isDependent: Bool { true }

  /// The properties to which the follower has to be attached now, each once (P30).
  final var wanted: [Attachment] {
    var seen: Set<Place> = []
    return reading.filter { seen.insert($0.place).inserted }
  }

  var reading: [Attachment] { [] }
}

/// An observation.
///
/// A key of its own is a path without links.
final class ModelObserver: Follower {
  let registration: Registration
  var actions: ArraySlice<Statement>
  var priorActions: ArraySlice<Statement>
  /// For `distinct`: the value that it last received or registered with (P9).
  var last: Value = .none

  init(_ registration: Registration, root: ModelNode) {
    self.registration = registration
    actions = registration.actions[...]
    priorActions = registration.priorActions[...]
    super.init(root: root)
    last = value
  }

  var key: Key { registration.path.last! }

  override var isDependent: Bool { registration.path.count > 1 }

  func wants(_ option: Option) -> Bool { registration.options.contains(option) }

  private var tail: ModelNode? {
    registration.path.dropLast().reduce(root) { node, key in node?.link(key) }
  }

  override var value: Value { tail?.value(key) ?? .none }

  override var reading: [Attachment] {
    var attachments: [Attachment] = []
    var node: ModelNode? = root
    for key in registration.path.dropLast() {
      guard let current = node else { return attachments }
      attachments.append(Attachment(place: Place(current.number, key), role: .link))
      node = current.link(key)
    }
    guard let node else { return attachments }
    let role: Role = isDependent && node.isComputed(key) ? .computed : .leaf
    attachments.append(Attachment(place: Place(node.number, key), role: role))
    return attachments
  }
}

/// A computed key, while it has observers.
final class ComputedKey: Follower {
  let place: Place
  /// How many changes of it are not completed: until then it lasts without observers.
  var changeCount = 0

  init(_ key: Key, of root: ModelNode) {
    place = Place(root.number, key)
    super.init(root: root)
  }

  override var value: Value { root.value(place.key) }

  override var reading: [Attachment] {
    root.inputs(of: place.key).map { Attachment(place: $0, role: .input) }
  }
}
