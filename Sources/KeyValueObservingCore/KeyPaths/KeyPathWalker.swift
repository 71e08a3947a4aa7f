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
  private var met: MetLinks
  /// Whether each key that has been met notifies of every change before it is made.
  private var isNotifiedBefore = true
  /// Whether a getter computes one of the keys that have been met.
  private var isBehindComputedKey = false
  /// The parts of keys that have been left, to be ended when all keys have been attached to: a key that both they and
  /// others read is observed all the time (P70).
  private var idle: [IdleParts] = []

  /// Walks to the end of a path, or to where an intermediate object is nil, for an observation.
  ///
  /// - `links`: The links of the observation, which are met again or replaced.
  /// - `isValueUsed`: Whether the value is of use as the new one.
  static func walk(
    along path: Unmanaged<KeyPathPlan>, from subject: AnyObject,
    for observation: KeyPathObservation, _ links: inout MetLinks, isValueUsed: Bool
  ) -> AnyValueBox? {
    var walker = KeyPathWalker(
      observation: .passUnretained(observation), path: path,
      met: exchange(&links, with: MetLinks()))
    let options = observation.options
    let value = Computation.run(of: observation) {
      path._withUnsafeGuaranteedRef { path -> AnyValueBox? in
        let destination = path.follow(from: subject) { walker.meet(at: $0, in: $1, behind: $2) }
        for parts in walker.idle { parts.end() }
        // Known only when each key has been met.
        let keepsValue = observation.keepsValue
        switch destination {
        case .property(let found, let object):
          if walker.isNotifiedBefore, path.isLong, options.contains(.old) {
            walker.met.leafOwner = object
          }
          guard isValueUsed && options.contains(.new) || keepsValue else { return nil }
          return found.map { path.value(of: $0, in: object) } ?? path.none
        case .none:
          return isValueUsed && options.contains(.new) || keepsValue ? path.none : nil
        case .value(let value, let property, let object, let position):
          return walker.valueOfRest(
            of: value, behind: property, at: position, of: object, from: subject)
        case .broken:
          return path.none
        }
      }
    }
    links = walker.met
    return value
  }

  /// Evaluates the rest of a string path, which is asked of something else than an object.
  ///
  /// The last object is the one that has it, so the collection and what its members have is the value (P29).
  private mutating func valueOfRest(
    of value: Any, behind property: KeyValueProperty, at position: Int, of object: AnyObject,
    from subject: AnyObject
  ) -> AnyValueBox? {
    let path = path.takeUnretainedValue()
    let observation = observation.takeUnretainedValue()
    noteIsIntermediate(
      !isCollection(value) && !path.leavesObjects(behind: position, property), at: position)
    return ReadRecorder.evaluateRest(of: observation, &met) {
      guard let string = path.string else { return path.none }
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
    guard let link = met.last, link.stepIndex == position else { return }
    link.isIntermediate = isIntermediate
  }

  // MARK: Meeting a key

  /// Finds the property of a step in an object, and sees that the observation is attached to its key.
  @inline(__always)
  private mutating func meet(
    at position: Int, in object: AnyObject, behind former: KeyValueProperty?
  ) -> KeyPathPlan.FoundProperty {
    let path = path
    if let former {
      noteIsIntermediate(
        path._withUnsafeGuaranteedRef { !$0.leavesObjects(behind: position - 1, former) },
        at: position - 1)
    }
    return path._withUnsafeGuaranteedRef({ $0[position] })._withUnsafeGuaranteedRef { step in
      guard let walkable = step.walkableProperty(of: object) else {
        return meetDynamicStep(step, in: object, at: position)
      }
      return walkable._withUnsafeGuaranteedRef { listed in
        if step.isWeak || listed.isManual { isNotifiedBefore = false }
        if !step.isConstant {
          let context = step.context(of: object)
          if let next = next(to: step.name, in: context, at: position),
            !isBehindComputedKey || next._withUnsafeGuaranteedRef({ $0.role != .value })
          {
            met.meetNext()
          } else {
            let link = attach(
              to: step.name, of: context, isManual: listed.isManual, at: position,
              as: path._withUnsafeGuaranteedRef { $0.end == position } ? leafRole : .input,
              isIntermediate: step.isIntermediate, leaf: path._withUnsafeGuaranteedRef { $0.leaf },
              source: listed.source.map { ($0, object) })
            if step.isWeak, let link, let object = step.observable(object) {
              watch(listed.property, link, of: object)
            }
          }
        }
        return .listed(.passUnretained(listed.property))
      }
    }
  }

  /// The next link of the walk before, if it is the one at a position, and attached to a key.
  @inline(__always)
  private func next(
    to name: KeyName, in context: Unmanaged<ObservationContext>, at position: Int
  ) -> Unmanaged<Link>? {
    guard let link = met.next,
      link._withUnsafeGuaranteedRef({
        $0.stepIndex == position && $0.keyName(in: context) == name
      })
    else { return nil }
    return link
  }

  /// The role of a last key that is stored.
  private var leafRole: LinkRole { isBehindComputedKey ? .valueInPhases : .value }

  /// Sees that the key of an object is attached to that a getter computes, or that only the object knows.
  @inline(never)
  private mutating func meetDynamicStep(
    _ step: PlanStep, in object: AnyObject, at position: Int
  ) -> KeyPathPlan.FoundProperty {
    isNotifiedBefore = false
    guard let object = step.observable(object) else { return .none }
    let path = path.takeUnretainedValue()
    let observation = observation.takeUnretainedValue()
    let property: KeyValueProperty
    do throws(KeyValueCodingError) {
      property = try path.dynamicProperty(step, of: object)
    } catch {
      observation.report(
        .brokenKeyPath(
          path.text, of: observation.subject.map { type(of: $0) } ?? type(of: object),
          because: error.message))
      return .none
    }
    let read: KeyPathPlan.FoundProperty =
      path.string == nil ? step.declared.map { .listed($0) } ?? .none : .made(property)
    let table = PropertyTable.of(type(of: object))
    let isWalkable = property.isWalkable(in: object)
    if isWalkable, property.kind == .constant { return read }
    let isEnd = position == path.end
    let leaf = isEnd ? path.leaf(of: property) : nil
    let role: LinkRole = leaf == nil ? .input : isWalkable ? leafRole : .computedValue
    if !isWalkable { isBehindComputedKey = true }
    let context = Unmanaged.passUnretained(object.observationContext)
    if let next = next(to: property.name, in: context, at: position),
      next._withUnsafeGuaranteedRef({ $0.role == role })
    {
      met.meetNext()
    } else {
      let link = attach(
        to: property.name, of: context, isManual: table.isManual(property.name), at: position,
        as: role, isIntermediate: !isEnd && !path.leavesObjects(behind: position, property),
        // Another object may have another property.
        leaf: leaf, staysAtKey: leaf != nil, source: table.source.map { ($0, object) },
        computedKey: isWalkable ? nil : { ComputedKey(property, in: $0, of: object) })
      if let link, property.kind == .weak { watch(property, link, of: object) }
    }
    if !isWalkable, observation.options.contains(.old),
      met.last?.observedKey?.computedKey?.hasWeakInput.load(ordering: .relaxed) == true
    {
      observation.noteWeakInput()
    }
    return read
  }

  // MARK: Attaching

  /// Attaches to a key that the walk has not met where it did last time.
  ///
  /// - `staysAtKey`: Whether the value of another property becomes the value of the path in another way.
  /// - `source`: The object and its type, if it is notified of being observed.
  /// - `computedKey`: Computes the key, if a getter does that.
  ///
  /// Returns the link, which is kept; nil if the path was attached to the key before.
  @inline(__always)
  private mutating func attach(
    to name: KeyName, of context: Unmanaged<ObservationContext>, isManual: Bool, at position: Int,
    as role: LinkRole, isIntermediate: Bool, leaf: @autoclosure () -> LeafValue?,
    staysAtKey: Bool = false, source: (type: any KeyValueSource.Type, object: AnyObject)?,
    computedKey: ((ObservedKey) -> ComputedKey)? = nil
  ) -> Unmanaged<Link>? {
    let observedKey = context._withUnsafeGuaranteedRef { $0.observedKey(named: name) }
    // Mostly the key is not observed yet, and so by none of the links (row: top link replaced).
    let isObserved = observedKey?._withUnsafeGuaranteedRef {
      $0.isObserved.load(ordering: .relaxed)
    }
    if isObserved == true,
      let index = met.links.firstIndex(where: { $0.keyName(in: context) == name })
    {
      // An object may be on the path twice, and is notified once (P30).
      if index < met.count { return nil }
      if let link = met.meet(at: index, as: role, .observer, &idle) {
        link.stepIndex = position
        link.isIntermediate = isIntermediate
        return nil
      }
    }
    let link =
      (staysAtKey ? nil : reuseLink(at: position, as: role))
      ?? makeLink(at: position, role, role == .input ? nil : leaf())
    link._withUnsafeGuaranteedRef { link in
      link.isIntermediate = isIntermediate
      link.staysAtKey = staysAtKey || source != nil
      let observedKey = link.attach(to: context, name, observedKey, isManual: isManual)
      if let source {
        observedKey._withUnsafeGuaranteedRef {
          $0.beginObservance(of: source.object, as: source.type)
        }
      }
      if let computedKey {
        _ = observedKey._withUnsafeGuaranteedRef { $0.compute(for: link, by: computedKey) }
      }
    }
    return link
  }

  /// Makes the deallocation of a weak property's object a change of the property.
  private func watch(
    _ property: KeyValueProperty, _ link: Unmanaged<Link>, of object: some KeyValueObservable
  ) {
    let (observation, link) = (observation.takeUnretainedValue(), link.takeUnretainedValue())
    guard let observedKey = link.observedKey else { return }
    observation.noteWeakInput()
    WeakTargetObservation.watchValue(of: property, in: observedKey, of: object) {
      observation.report($0)
    }
  }

  // Not retained, since it is one of those that were met (row: top link replaced).
  /// Detaches the link that stood at a position until now, to be used again.
  ///
  /// Nil if there is none, or if a delivery may still call it for the key that it leaves.
  private mutating func reuseLink(at position: Int, as role: LinkRole) -> Unmanaged<Link>? {
    for index in met.count..<met.links.count {
      let link = Unmanaged.passUnretained(met.links[index])
      if link._withUnsafeGuaranteedRef({ $0.stepIndex }) != position { continue }
      if link._withUnsafeGuaranteedRef({ $0.staysAtKey || $0.role != role }) { return nil }
      // The path may come to the key at a later position, and then keeps its link.
      let mayStay = path._withUnsafeGuaranteedRef { $0.lastRepeated >= position }
      if !link._withUnsafeGuaranteedRef({ $0.takeOut(&idle, unlessInTurn: mayStay) }) { return nil }
      if link._withUnsafeGuaranteedRef({ $0.isDetached }) {
        met.remove(at: index)
        return nil
      }
      met.meet(at: index)
      return link
    }
    return nil
  }

  private mutating func makeLink(
    at position: Int, _ role: LinkRole, _ leaf: consuming LeafValue?
  ) -> Unmanaged<Link> {
    // At once as many as the path has (row: path of 2, register + end).
    if met.links.isEmpty { met.reserveCapacity(path._withUnsafeGuaranteedRef { $0.count }) }
    let made = Link(observation.takeUnretainedValue(), role, leaf: leaf)
    made.stepIndex = position
    let link = Unmanaged.passUnretained(made)
    met.insert(made)
    return link
  }
}
