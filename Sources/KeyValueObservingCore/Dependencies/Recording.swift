internal import CKeyValueObserving
internal import Synchronization

/// Lists the keys that an expression reads, and attaches the expression to each as it is read.
///
/// Attaching comes before the value is read. So a set on another thread either comes first and its
/// value is read, or finds the expression attached and makes it read again (P39).
///
/// It is on the stack of the evaluating function, and getters find it through their thread.
@usableFromInline
struct Recording {
  fileprivate let listener: Listener
  /// The links whose keys were read, in that order, and behind them those of the evaluation before
  /// that have not been met again.
  ///
  /// Most evaluations read the same keys in the same order.
  fileprivate var links: [Link]
  fileprivate var metCount = 0
  /// Those that have not been met again, where there are many and one of them was met out of turn:
  /// then none are behind those that were met.
  fileprivate var unmet: UnmetLinks?
  fileprivate var isChanged = false
  /// For each link that was met, whether its key comes before the last one of a path.
  fileprivate var areBeforeLast: [Bool] = []
  /// The key of a path that is being read, where it is walked key by key.
  var component: PathComponent?
  fileprivate var slots: Set<ObjectIdentifier> = []
  /// The keys whose declared dependencies have been followed.
  fileprivate var followed: Set<ObjectIdentifier> = []

  fileprivate enum Listener {
    /// Is attached to what is read.
    case computed(Unmanaged<Expression>)
    /// The same, and each key plays a part that depends on its position.
    case path(Unmanaged<Expression>)
    /// The same, and the part that a key plays is set as `component` before it is read.
    case keyedPath(Unmanaged<Expression>)
    /// Only wants to know whether an object reads one key of its own and nothing else.
    case probe(KeyName?, of: ObjectIdentifier)
  }

  private init(_ listener: Listener, known: [Link]) {
    self.listener = listener
    links = known
  }

  /// The recording of the innermost expression that is evaluated on this thread.
  @inline(__always)
  static var current: UnsafeMutablePointer<Recording>? {
    ThreadState.current.pointee.recording?.assumingMemoryBound(to: Recording.self)
  }

  /// Computes an expression and attaches it to what it reads.
  static func evaluate(
    _ expression: Expression, of subject: AnyObject, known: [Link]
  ) -> Evaluation {
    let unmanaged = Unmanaged.passUnretained(expression)
    let parts = expression.parts
    let listener: Listener =
      switch parts {
      case .none: .computed(unmanaged)
      case .byPosition: .path(unmanaged)
      case .byKey: .keyedPath(unmanaged)
      }
    var recording = Recording(listener, known: known)
    if parts != .none, !known.isEmpty {
      recording.areBeforeLast.reserveCapacity(known.count)
    }
    let value = recording.record {
      Computation.run(of: expression) { expression.record(subject) }
    }
    if parts != .byPosition, !recording.isChanged, recording.metCount == known.count {
      return Evaluation(value: value, links: nil, dropped: [])
    }
    let met = Array(recording.links[..<recording.metCount])
    let dropped = recording.unmet?.rest ?? Array(recording.links[recording.metCount...])
    return Evaluation(
      value: value, links: met, dropped: dropped,
      reading: expression.didRead(met, Reading(areBeforeLast: recording.areBeforeLast)))
  }

  /// Whether `body` reads a key of an object, or none if that is nil, and no other key at all.
  static func isAllRead(_ key: KeyName?, of object: AnyObject, by body: () -> Void) -> Bool {
    var recording = Recording(.probe(key, of: ObjectIdentifier(object)), known: [])
    recording.record(body)
    return !recording.isChanged && recording.metCount == (key == nil ? 0 : 1)
  }

  private mutating func record<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.recording
    return withUnsafeMutablePointer(to: &self) { recording in
      thread.pointee.recording = UnsafeMutableRawPointer(recording)
      kvo_recording_began()
      defer {
        kvo_recording_ended()
        thread.pointee.recording = outer
      }
      return body()
    }
  }

  /// Runs `body` without noting what it reads.
  @usableFromInline
  static func pause<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.recording
    thread.pointee.recording = nil
    defer { thread.pointee.recording = outer }
    return try body()
  }

  static func pauseUnless<Result>(_ isRecorded: Bool, _ body: () -> Result) -> Result {
    isRecorded ? body() : pause(body)
  }

  /// Up to so many keys are compared one by one, which is faster than hashing.
  fileprivate static var listLimit: Int { 16 }
}

extension UnsafeMutablePointer<Recording> {
  /// Notes that a computed key was read for which the expression is attached already, if it was
  /// read in the evaluation before, at the same time.
  ///
  /// Returns false where it takes more.
  @inline(__always)
  func noteAgain(_ name: KeyName, of context: Unmanaged<Context>) -> Bool {
    guard pointee.metCount < pointee.links.count else { return false }
    // Not retained, since the list keeps it.
    let link = Unmanaged.passUnretained(pointee.links[pointee.metCount])
    guard
      link._withUnsafeGuaranteedRef({
        $0.isAttached(toIdentical: name, of: context) && !$0.hasDependencies
      })
    else { return false }
    if case .computed = pointee.listener {} else if !notePart(of: link) { return false }
    pointee.metCount += 1
    if !pointee.slots.isEmpty {
      pointee.slots.insert(link._withUnsafeGuaranteedRef { ObjectIdentifier($0.slot!) })
    }
    return true
  }

  // Out of line: it would take registers from computed properties.
  /// Notes the part of a key on a path, if it is known to be the same as in the evaluation before.
  @inline(never)
  private func notePart(of link: Unmanaged<Link>) -> Bool {
    // Behind a collection, the key of a member plays no part.
    guard case .keyedPath = pointee.listener, pointee.component == nil,
      link._withUnsafeGuaranteedRef({ $0.playsNoPart })
    else { return false }
    pointee.areBeforeLast.append(false)
    return true
  }

  /// Notes that a key was read.
  ///
  /// Returns its slot when the expression was newly attached to it.
  @discardableResult
  func note<Subject: KeyValueObservable>(_ name: KeyName, of subject: Subject) -> Slot? {
    if case .probe(let key, let object) = pointee.listener {
      pointee.metCount += 1
      if key != name || object != ObjectIdentifier(subject) { pointee.isChanged = true }
      return nil
    }
    let table = PropertyTable.of(type(of: subject))
    let slot = subject.observationContext.makeSlot(named: name, isManual: table.isManual(name))
    let dependencies = table.dependencies(of: name)
    let placement = pointee.component?.placement(of: name, of: ObjectIdentifier(subject))
    let isNew = link(
      to: slot, of: table, as: placement,
      dependsOnOthers: dependencies != nil || table.isOverridden(name),
      hasDependencies: dependencies != nil)
    if isNew, let source = table.source { slot.beginObservance(of: subject, as: source) }
    if let dependencies { follow(dependencies, from: subject, slot: slot) }
    return isNew ? slot : nil
  }

  private func link(
    to slot: Slot, of table: PropertyTable, as placement: Placement?, dependsOnOthers: Bool,
    hasDependencies: Bool
  ) -> Bool {
    guard let expression = listener else { return false }
    var placement = placement ?? expression.placement(of: slot, in: table, at: pointee.metCount)
    // The dependencies of the key are read as well, and notify of their changes. The key itself
    // notifies only its own observers of them (P22).
    if dependsOnOthers { placement.rank = .dependent }
    if isListed(slot) { return false }
    let place = pointee.metCount
    let isInTurn = place < pointee.links.count && pointee.links[place].slot === slot
    var idle: IdleParts?
    if let link = isInTurn ? pointee.links[place] : takeOutOfTurn(slot) {
      // It stays, unless the key now plays another part in the expression.
      if link.isLeaf == (placement.leaf != nil), link.rank == placement.rank {
        if isInTurn { count(link, placement) } else { insert(link, placement) }
        link.hasDependencies = hasDependencies
        return false
      }
      idle = link.takeOut()
      if isInTurn { pointee.links.remove(at: place) }
    }
    let link = Link(expression, leaf: placement.leaf)
    link.isAtSource = table.source != nil
    link.hasDependencies = hasDependencies
    // A computed key requests prior notifications when it knows its inputs, if its observers need
    // them.
    if case .computed = pointee.listener { link.omitPriors() }
    link.attach(to: slot, as: placement.rank)
    insert(link, placement)
    idle?.end()
    return true
  }

  /// Takes the link to a key that is met earlier than it was in the evaluation before.
  private func takeOutOfTurn(_ slot: Slot) -> Link? {
    // Most keys that were not met before have no observers.
    if !slot.isObserved.load(ordering: .relaxed) { return nil }
    if let unmet = pointee.unmet { return unmet.take(slot) }
    let rest = pointee.metCount..<pointee.links.count
    if rest.count < Recording.listLimit {
      return rest.first { pointee.links[$0].slot === slot }.map { pointee.links.remove(at: $0) }
    }
    // To look through the list for each would take quadratic time where an array was sorted.
    let unmet = UnmetLinks(pointee.links[rest])
    pointee.links.removeSubrange(rest)
    pointee.unmet = unmet
    return unmet.take(slot)
  }

  private var listener: Expression? {
    switch pointee.listener {
    case .computed(let expression), .path(let expression), .keyedPath(let expression):
      expression.takeUnretainedValue()
    case .probe: nil
    }
  }

  private func insert(_ link: Link, _ placement: Placement) {
    pointee.isChanged = true
    pointee.links.insert(link, at: pointee.metCount)
    count(link, placement)
  }

  private func count(_ link: Link, _ placement: Placement) {
    link.place = -1
    pointee.metCount += 1
    switch pointee.listener {
    case .computed, .probe: break
    case .path, .keyedPath:
      pointee.areBeforeLast.append(placement.isBeforeLast)
      if link.isBeforeLast != placement.isBeforeLast { pointee.isChanged = true }
    }
    if !pointee.slots.isEmpty { pointee.slots.insert(ObjectIdentifier(link.slot!)) }
  }

  private func isListed(_ slot: Slot) -> Bool {
    let met = pointee.links[..<pointee.metCount]
    if met.count < Recording.listLimit { return met.contains { $0.slot === slot } }
    if pointee.slots.isEmpty {
      pointee.slots = Set(met.compactMap { $0.slot.map(ObjectIdentifier.init) })
    }
    return pointee.slots.contains(ObjectIdentifier(slot))
  }

  /// Reads what a key depends on by declaration, each key once (P22).
  func follow<Subject: KeyValueObservable>(
    _ keyPaths: Set<String>, from subject: Subject, slot: Slot
  ) {
    guard pointee.followed.insert(ObjectIdentifier(slot)).inserted else { return }
    let outer = pointee.component
    defer { pointee.component = outer }
    // Later reads are not the key itself, and their values not that of the path.
    pointee.component?.isDependency = true
    for keyPath in keyPaths.sorted() {
      KeyPathWalk.read(keyPath, from: subject, for: slot, recording: self)
    }
  }

  /// Whether what is read is to show of which keys a typed key path is made.
  var isOfTypedPath: Bool {
    if case .path = pointee.listener { true } else { false }
  }

  /// Notes that a weak property was read.
  func noteWeakInput() { listener?.noteWeakInput() }

  /// Reports what the evaluation has met, unless it was met before.
  func report(_ diagnostic: @autoclosure () -> KeyValueDiagnostic) {
    listener?.report(diagnostic())
  }
}
