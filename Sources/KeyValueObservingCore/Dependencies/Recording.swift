internal import CKeyValueObserving

/// Lists the keys that an expression reads, and attaches the expression to each as it is read.
///
/// Attaching comes before the value is read. So a set on another thread either comes first and its
/// value is read, or finds the expression attached and makes it read again (P39).
final class Recording {
  private let expression: Expression
  /// The links of the evaluation before, of which most are usually met again, in the same order.
  private var known: [Link?]
  private var next = 0
  private(set) var links: [Link] = []
  /// For each link, whether its key comes before the last one of a path.
  private(set) var areBeforeLast: [Bool] = []
  /// The key of a string path that is being read.
  var component: PathComponent?
  private var slots: Set<ObjectIdentifier> = []
  /// The keys whose declared dependencies have been followed.
  private var followed: Set<ObjectIdentifier> = []

  init(_ expression: Expression, known: [Link]) {
    self.expression = expression
    self.known = known
  }

  /// The recording of the innermost expression that is evaluated on this thread.
  static var current: Recording? {
    guard let recording = ThreadState.current.pointee.recording else { return nil }
    return Unmanaged<Recording>.fromOpaque(recording).takeUnretainedValue()
  }

  /// The links of the evaluation before that were not met again.
  var dropped: [Link] { known.compactMap { $0 } }

  /// Runs `body` and notes what it reads.
  func record<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.recording
    thread.pointee.recording = Unmanaged.passUnretained(self).toOpaque()
    kvo_recording_began()
    defer {
      kvo_recording_ended()
      thread.pointee.recording = outer
    }
    return body()
  }

  /// Runs `body` without noting what it reads.
  static func pause<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.recording
    thread.pointee.recording = nil
    defer { thread.pointee.recording = outer }
    return body()
  }

  static func pauseUnless<Result>(_ isRecorded: Bool, _ body: () -> Result) -> Result {
    isRecorded ? body() : pause(body)
  }

  /// Notes that a key was read. Returns its slot when the expression was newly attached to it.
  @discardableResult
  func note<Subject: KeyValueObservable>(_ name: KeyName, of subject: Subject) -> Slot? {
    let table = PropertyTable.of(type(of: subject))
    let slot = subject.observationContext.makeSlot(named: name, isManual: table.isManual(name))
    let isNew = link(to: slot)
    if let dependencies = table.dependencies(of: name) {
      follow(dependencies, from: subject, slot: slot)
    }
    return isNew ? slot : nil
  }

  private func link(to slot: Slot) -> Bool {
    if expression.ignores(slot) { return false }
    let placement = component?.placement ?? expression.placement(of: slot, at: links.count)
    if next < known.count, let link = known[next], link.slot === slot {
      known[next] = nil
      next += 1
      return keep(link, on: slot, placement)
    }
    if isListed(slot) { return false }
    if let place = known.firstIndex(where: { $0?.slot === slot }) {
      let link = known[place]!
      known[place] = nil
      next = place + 1
      return keep(link, on: slot, placement)
    }
    attach(to: slot, placement)
    return true
  }

  /// Keeps a link from before, unless the key now plays another part in the expression.
  private func keep(_ link: Link, on slot: Slot, _ placement: Placement) -> Bool {
    if (link.leaf == nil) == (placement.leaf == nil), link.rank == placement.rank {
      add(link, placement)
      return false
    }
    link.detach()
    attach(to: slot, placement)
    return true
  }

  private func attach(to slot: Slot, _ placement: Placement) {
    let link = Link(expression, to: slot.context, leaf: placement.leaf)
    link.unmanagedSlot = .passUnretained(slot)
    _ = slot.context.attach(link, to: slot, as: placement.rank)
    add(link, placement)
  }

  private func add(_ link: Link, _ placement: Placement) {
    links.append(link)
    areBeforeLast.append(placement.isBeforeLast)
    if links.count == Recording.listLimit {
      slots = Set(links.compactMap { $0.slot.map(ObjectIdentifier.init) })
    } else if links.count > Recording.listLimit {
      slots.insert(ObjectIdentifier(link.slot!))
    }
  }

  private func isListed(_ slot: Slot) -> Bool {
    links.count < Recording.listLimit
      ? links.contains { $0.slot === slot } : slots.contains(ObjectIdentifier(slot))
  }

  /// Reads what a key depends on by declaration, each key once (P22).
  func follow<Subject: KeyValueObservable>(
    _ keyPaths: Set<String>, from subject: Subject, slot: Slot
  ) {
    guard followed.insert(ObjectIdentifier(slot)).inserted else { return }
    for keyPath in keyPaths.sorted() {
      KeyPathWalk.read(keyPath, from: subject, recording: self)
    }
  }

  /// Up to so many keys are compared one by one, which is faster than hashing.
  private static var listLimit: Int { 16 }
}

/// The part that a key plays in an expression.
struct Placement {
  var rank = Rank.observer
  /// How its value is the value of the expression, if it is.
  var leaf: LeafValue?
  /// Whether it leads to the object with the last key of a path (P26).
  var isBeforeLast = false
}

/// One key of a string path, while it is read.
struct PathComponent {
  let property: KeyValueProperty
  let isLast: Bool

  var placement: Placement {
    let isComputed = property.kind == .computed
    return Placement(
      rank: isComputed ? .dependent : .observer,
      leaf: isLast && !isComputed ? .erased(property) : nil,
      isBeforeLast: !isLast)
  }
}

/// How the value of the last key of a path is made the value of the path.
enum LeafValue {
  case same
  /// Behind an optional link it becomes optional itself.
  case wrapped(KeyValueProperty)
  /// String paths deliver `Any?`.
  case erased(KeyValueProperty)

  func withValue(at address: UnsafeRawPointer?, _ body: (UnsafeRawPointer?) -> Void) {
    guard let address else { return body(nil) }
    switch self {
    case .same: body(address)
    case .wrapped(let property): property.withOptional(address, body)
    case .erased(let property):
      withUnsafePointer(to: property.erase(address)) { body(UnsafeRawPointer($0)) }
    }
  }
}
