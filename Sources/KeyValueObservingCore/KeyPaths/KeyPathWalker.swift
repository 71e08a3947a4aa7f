/// Walks along a path and attaches an observation to the key of each step, where it is not attached already.
///
/// Attaching comes before the value is read, so that an intermediate object that is replaced meanwhile is found
/// (P39), as in a `ReadRecorder`. A key that a getter computes has a
/// `ComputedKey`, which knows what the getter reads: the observation is attached to the key like every other
/// observer of it. Reads are recorded only where a string path is evaluated behind a collection.
struct KeyPathWalker: ~Copyable {
  // The caller of the walk retains both (row: top link replaced).
  private let observation: Unmanaged<KeyPathObservation>
  private let path: Unmanaged<KeyPathPlan>
  /// The links that have been met, in their order, and behind them those from the walk before that
  /// may still be.
  private var links: [Link]
  private var matchedCount = 0
  private var isChanged = false
  private let isValueUsed: Bool
  /// Whether each key that has been met notifies of every change before it is made.
  private var isNotifiedBefore = true
  /// Whether a getter computes one of the keys that have been met.
  private var isBehindComputedKey = false
  /// The parts of keys that have been left, to be ended when the next key has been attached to.
  private var idle: [IdleParts] = []

  init(
    of observation: KeyPathObservation, along path: Unmanaged<KeyPathPlan>,
    known: consuming [Link],
    isValueUsed: Bool
  ) {
    self.observation = .passUnretained(observation)
    self.path = path
    self.isValueUsed = isValueUsed
    links = known
  }

  /// Walks to the end of the path, or to where an intermediate object is nil.
  mutating func run(
    along path: KeyPathPlan, from subject: AnyObject, for options: KeyValueObservation.Options
  ) -> EvaluationResult {
    var object = subject
    let end = path.end
    for position in 0..<path.count {
      let step = path[position]
      let isWalkable = meet(step, in: object, at: position)
      if isWalkable, position != end, step._withUnsafeGuaranteedRef({ $0.leadsOn }) {
        guard let next = step._withUnsafeGuaranteedRef({ $0.object(in: object) }) else {
          return evaluationAtNil(from: subject, for: options)
        }
        object = next
        continue
      }
      let dynamicProperty =
        isWalkable
        ? nil : step._withUnsafeGuaranteedRef { meetDynamicStep($0, in: object, at: position) }
      if !isWalkable, dynamicProperty == nil { return evaluation(value: path.none) }
      if position == end {
        let value =
          readsValue(for: options)
          ? dynamicProperty.map { path.value(of: $0, in: object) } ?? path.value(in: object) : nil
        let isOwner = isNotifiedBefore && path.isLong && options.contains(.old)
        return evaluation(value: value, leafOwner: isOwner ? object : nil)
      }
      let property =
        dynamicProperty ?? step._withUnsafeGuaranteedRef { $0.property.unsafelyUnwrapped }
      switch path.next(behind: property, in: object) {
      case .none: return evaluationAtNil(from: subject, for: options)
      case .object(let next) where position < path.count - 1:
        noteIsIntermediate(!path.leavesObjects(behind: position, property), at: position)
        object = next
      case .object(let next):
        return evaluation(of: next, behind: property, at: position, of: object, from: subject)
      case .value(let value):
        return evaluation(of: value, behind: property, at: position, of: object, from: subject)
      }
    }
    return evaluation(value: path.none)
  }

  // Known only when each key has been met.
  /// Whether the value is of use: as the new one, or as the old one of a deallocation.
  private func readsValue(for options: KeyValueObservation.Options) -> Bool {
    isValueUsed && options.contains(.new) || keepsValue
  }

  private var keepsValue: Bool { observation._withUnsafeGuaranteedRef { $0.keepsValue } }

  private mutating func evaluation(
    value: consuming AnyValueBox?, leafOwner: consuming AnyObject? = nil
  ) -> EvaluationResult {
    EvaluationResult(
      value, met: exchange(&links, with: []), count: matchedCount, isChanged: isChanged,
      leafOwner: leafOwner)
  }

  private mutating func evaluationAtNil(
    from subject: AnyObject, for options: KeyValueObservation.Options
  ) -> EvaluationResult {
    // Also where the value is not used, since a path that unwraps the link traps.
    guard options.contains(.new) || keepsValue else { return evaluation(value: nil) }
    let none = path._withUnsafeGuaranteedRef { $0.none }
    return evaluation(
      value: none ?? observation._withUnsafeGuaranteedRef { $0.compute(subject) })
  }

  /// Evaluates the rest of a string path, which is asked of something else than an object.
  ///
  /// The last object is the one that has it, so the collection and what its members have is the value (P29).
  private mutating func evaluation(
    of value: Any, behind property: KeyValueProperty, at position: Int, of object: AnyObject,
    from subject: AnyObject
  ) -> EvaluationResult {
    let path = path.takeUnretainedValue()
    let observation = observation.takeUnretainedValue()
    guard let string = path.string else { return evaluation(value: path.none) }
    noteIsIntermediate(
      !isCollection(value) && !path.leavesObjects(behind: position, property), at: position)
    return ReadRecorder.evaluateRest(
      of: observation, known: exchange(&links, with: []), met: matchedCount, isChanged: isChanged
    ) {
      do throws(KeyValueCodingError) {
        if !isCollection(value), case .key = string.components[position + 1] {
          observation.report(
            .valueWithoutKeys(
              type: type(of: object), key: property.key,
              value: type(of: value), keyPath: string.text))
          return path.none
        }
        return ValueBox<Any?>(try string.value(from: position + 1, of: value))
      } catch {
        observation.report(
          .brokenKeyPath(string.text, of: type(of: subject), because: error.message))
        return path.none
      }
    }
  }

  /// Notes whether the key that was met last is intermediate, of which the declared type may not have shown that
  /// it is a collection, or none any more.
  private func noteIsIntermediate(_ isIntermediate: Bool, at position: Int) {
    guard matchedCount > 0, links[matchedCount - 1].stepIndex == position else { return }
    links[matchedCount - 1].isIntermediate = isIntermediate
  }

  // MARK: Meeting a key

  /// Sees that the key of an object is attached to, if that is all that it takes to observe it.
  ///
  /// Returns false, and does nothing, for all others.
  @inline(__always)
  private mutating func meet(
    _ step: Unmanaged<PlanStep>, in object: AnyObject, at position: Int
  ) -> Bool {
    step._withUnsafeGuaranteedRef { step in
      guard let property = step.walkableProperty(of: object) else { return false }
      if step.isWeak || property._withUnsafeGuaranteedRef({ $0.isManual }) {
        isNotifiedBefore = false
      }
      if step.isConstant { return true }
      let context = step.context(of: object)
      if matchedCount < links.count, links[matchedCount].stepIndex == position,
        links[matchedCount].keyName(in: context) == step.name,
        !isBehindComputedKey || links[matchedCount].role != .value
      {
        matchedCount += 1
      } else {
        reattach(step, property, of: object, context, at: position)
      }
      return true
    }
  }

  private mutating func reattach(
    _ step: PlanStep, _ property: Unmanaged<ClassProperty>, of object: AnyObject,
    _ context: Unmanaged<ObservationContext>, at position: Int
  ) {
    let path = path
    reattach(
      to: step.name, of: context, at: position,
      as: path._withUnsafeGuaranteedRef { $0.end == position } ? leafRole : .input,
      isIntermediate: step.isIntermediate,
      leaf: path._withUnsafeGuaranteedRef { $0.leaf }
    ) { link, observedKey in
      link.attach(
        to: context, step.name, observedKey: observedKey,
        isManual: property._withUnsafeGuaranteedRef { $0.isManual })
      if step.isWeak, let object = step.observable(object) {
        Self.watch(step.property.unsafelyUnwrapped, link, of: object)
      }
      if let source = property._withUnsafeGuaranteedRef({ $0.source }) {
        link.staysAtKey = true
        link.observedKey?.beginObservance(of: object, as: source)
      }
    }
  }

  /// The role of a last key that is stored.
  private var leafRole: LinkRole { isBehindComputedKey ? .valueInPhases : .value }

  /// Attaches to a key that the walk has not met where it did last time.
  ///
  /// - `isDynamic`: Whether the property is that of the object, and not the one of the declared class.
  @inline(__always)
  private mutating func reattach(
    to name: KeyName, of context: Unmanaged<ObservationContext>, at position: Int,
    as role: LinkRole, isDynamic: Bool = false,
    isIntermediate: Bool,
    leaf: @autoclosure () -> LeafValue?, attach: (Link, Unmanaged<ObservedKey>?) -> Void
  ) {
    let observedKey = context._withUnsafeGuaranteedRef { $0.observedKey(named: name) }
    // Mostly the key is not observed yet, and so by none of the links (row: top link replaced).
    let isObserved = observedKey?._withUnsafeGuaranteedRef {
      $0.isObserved.load(ordering: .relaxed)
    }
    if isObserved == true,
      let index = links.firstIndex(where: { $0.keyName(in: context) == name })
    {
      // An object may be on the path twice, and is notified once (P30).
      if index < matchedCount { return }
      let link = links[index]
      if link.role == role, link.order == .observer {
        link.stepIndex = position
        link.isIntermediate = isIntermediate
        return moveUp(index)
      }
      takeOut(Unmanaged.passUnretained(link))
      removeLink(at: index)
    }
    // The value of another property becomes the value of the path in another way.
    let reused =
      isDynamic && role != .input ? nil : reuseLink(at: position, as: role)
    let link = reused ?? makeLink(at: position, role, role == .input ? nil : leaf())
    link._withUnsafeGuaranteedRef {
      $0.isIntermediate = isIntermediate
      attach($0, observedKey)
    }
    if !idle.isEmpty { endIdleParts() }
  }

  /// Detaches a link that is attached to another key before the parts that its key no longer needs are ended: a key
  /// that both read is observed all the time (P70).
  private mutating func takeOut(_ link: Unmanaged<Link>) {
    if let parts = link._withUnsafeGuaranteedRef({ $0.takeOut() }) { idle.append(parts) }
  }

  @inline(never)
  private mutating func endIdleParts() {
    let parts = idle
    idle = []
    for part in parts { part.end() }
  }

  /// Makes the deallocation of a weak property's object a change of the property.
  private static func watch(
    _ property: KeyValueProperty, _ link: Link, of object: some KeyValueObservable
  ) {
    guard let observedKey = link.observedKey else { return }
    link.derived.noteWeakInput()
    let target = property.value(of: object).map { $0 as AnyObject }
    if let report = property.unobservableTarget(of: target, in: object) {
      link.derived.report(report)
    }
    WeakTargetObservation.watchValue(of: property, in: observedKey, of: object)
  }

  // Not retained, since it is one of `links` (row: top link replaced).
  /// Detaches the link that stood at a position until now, to be used again.
  ///
  /// Nil if there is none, or if a delivery may still call it for the key that it leaves.
  private mutating func reuseLink(at position: Int, as role: LinkRole) -> Unmanaged<Link>? {
    for index in matchedCount..<links.count {
      let link = Unmanaged.passUnretained(links[index])
      if link._withUnsafeGuaranteedRef({ $0.stepIndex }) != position { continue }
      if link._withUnsafeGuaranteedRef({ $0.staysAtKey || $0.role != role }) { return nil }
      // The path may come to the key at a later position, and then keeps its link.
      if path._withUnsafeGuaranteedRef({ $0.lastRepeated >= position }),
        link._withUnsafeGuaranteedRef({ $0.hasTurn })
      {
        return nil
      }
      takeOut(link)
      if link._withUnsafeGuaranteedRef({ $0.isDetached }) {
        removeLink(at: index)
        return nil
      }
      moveUp(index)
      return link
    }
    return nil
  }

  private mutating func makeLink(
    at position: Int, _ role: LinkRole, _ leaf: consuming LeafValue?
  ) -> Unmanaged<Link> {
    // At once as many as the path has (row: path of 2, register + end).
    if links.isEmpty { links.reserveCapacity(path._withUnsafeGuaranteedRef { $0.count }) }
    let made = Link(observation.takeUnretainedValue(), role, leaf: leaf)
    made.stepIndex = position
    let link = Unmanaged.passUnretained(made)
    if matchedCount == links.count {
      links.append(consume made)
    } else {
      links.insert(consume made, at: matchedCount)
    }
    matchedCount += 1
    isChanged = true
    return link
  }

  /// Counts a link among those that have been met.
  private mutating func moveUp(_ index: Int) {
    if index != matchedCount {
      links.insert(links.remove(at: index), at: matchedCount)
      isChanged = true
    }
    matchedCount += 1
  }

  private mutating func removeLink(at index: Int) {
    links.remove(at: index)
    isChanged = true
  }

  // MARK: Meeting other keys

  /// Sees that the key of an object is attached to that a getter computes, or that only the object knows.
  ///
  /// Returns its property; nil if the object has none.
  @inline(never)
  private mutating func meetDynamicStep(
    _ step: PlanStep, in object: AnyObject, at position: Int
  ) -> KeyValueProperty? {
    isNotifiedBefore = false
    return step.observable(object).flatMap { meetDynamicProperty(step, of: $0, at: position) }
  }

  private mutating func meetDynamicProperty(
    _ step: PlanStep, of object: some KeyValueObservable, at position: Int
  ) -> KeyValueProperty? {
    let path = path.takeUnretainedValue()
    let property: KeyValueProperty
    do throws(KeyValueCodingError) {
      property = try path.dynamicProperty(step, of: object)
    } catch {
      observation._withUnsafeGuaranteedRef { observation in
        observation.report(
          .brokenKeyPath(
            path.text, of: observation.subject.map { type(of: $0) } ?? type(of: object),
            because: error.message))
      }
      return nil
    }
    let table = PropertyTable.of(type(of: object))
    let isWalkable = property.isWalkable(in: object)
    if isWalkable, property.kind == .constant {
      return path.string == nil ? step.property : property
    }
    let isEnd = position == path.end
    let leaf = isEnd ? path.leaf(of: property) : nil
    let role: LinkRole = leaf == nil ? .input : isWalkable ? leafRole : .computedValue
    if !isWalkable { isBehindComputedKey = true }
    let context = object.keyValueRegistrar.madeContext
    if matchedCount < links.count, links[matchedCount].stepIndex == position,
      links[matchedCount].role == role,
      links[matchedCount].keyName(in: context) == property.name
    {
      matchedCount += 1
    } else {
      reattach(
        to: property.name, of: context, at: position, as: role, isDynamic: true,
        isIntermediate: !isEnd && !path.leavesObjects(behind: position, property), leaf: leaf
      ) { link, _ in
        // Another object may have another property.
        link.staysAtKey = leaf != nil || table.source != nil
        let key = link.attach(
          to: context, property.name, isManual: table.isManual(property.name),
          computedKey: isWalkable ? nil : { ComputedKey(property, in: $0, of: object) })
        if let source = table.source {
          link.observedKey?.beginObservance(of: object, as: source)
        }
        key?.evaluate()
        if property.kind == .weak { Self.watch(property, link, of: object) }
      }
    }
    if !isWalkable,
      observation._withUnsafeGuaranteedRef({ $0.isOldRequested.load(ordering: .relaxed) }),
      context._withUnsafeGuaranteedRef({ $0.readsWeakProperty(property.name) })
    {
      observation._withUnsafeGuaranteedRef { $0.noteWeakInput() }
    }
    return path.string == nil ? step.property : property
  }
}
