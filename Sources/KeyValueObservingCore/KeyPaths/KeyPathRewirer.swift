/// Walks along a path and attaches an observation to each key, where it is not attached already.
///
/// Attaching comes before the value is read, as in a `ReadRecorder`.
struct KeyPathRewirer: ~Copyable {
  // The caller of the walk retains both (row: top link replaced).
  private let observation: Unmanaged<KeyPathObservation>
  private let path: Unmanaged<KeyPathPlan>
  /// The links that have been met, in their order, and behind them those from the walk before that
  /// may still be.
  private(set) var links: [Link]
  private var matchedCount = 0
  private var isChanged = false
  /// Whether each key that has been met notifies of every change before it is made.
  private var isTold = true

  init(of observation: KeyPathObservation, along path: Unmanaged<KeyPathPlan>, known: [Link]) {
    self.observation = .passUnretained(observation)
    self.path = path
    links = known
  }

  /// Walks to the end of the path, or to where a link is nil.
  ///
  /// Returns nil if there is an object in the way whose class makes a stored property something
  /// else.
  mutating func run(
    from subject: AnyObject, for options: KeyValueObservation.Options
  ) -> EvaluationResult? {
    path._withUnsafeGuaranteedRef { run(along: $0, from: subject, for: options) }
  }

  private mutating func run(
    along path: KeyPathPlan, from subject: AnyObject, for options: KeyValueObservation.Options
  ) -> EvaluationResult? {
    var object = subject
    let last = path.count - 1
    for position in 0..<last {
      let step = path[position]
      if !meet(step, in: object, at: position) { return nil }
      guard let next = step._withUnsafeGuaranteedRef({ $0.object(in: object) }) else {
        return evaluation(value: readsValue(for: options) ? path.none : nil)
      }
      object = next
    }
    let leafOwner = isTold && path.isLong && options.contains(.old) ? object : nil
    if !meet(path[last], in: object, at: last) { return nil }
    return evaluation(
      value: readsValue(for: options) ? path.value(in: object) : nil, leafOwner: leafOwner)
  }

  // Known only when each key has been met.
  /// Whether the value is of use: as the new one, or as the old one of a deallocation.
  private func readsValue(for options: KeyValueObservation.Options) -> Bool {
    options.contains(.new) || observation._withUnsafeGuaranteedRef { $0.keepsValue }
  }

  private mutating func evaluation(
    value: consuming AnyValueBox?, leafOwner: consuming AnyObject? = nil
  ) -> EvaluationResult {
    if matchedCount == links.count {
      return EvaluationResult(
        value: value, links: isChanged ? links : nil, dropped: [], leafOwner: leafOwner)
    }
    return EvaluationResult(
      value: value, links: Array(links[..<matchedCount]), dropped: Array(links[matchedCount...]),
      leafOwner: leafOwner)
  }

  /// Sees that the key of an object is attached to.
  ///
  /// Returns false if the path cannot be walked through it.
  @inline(__always)
  private mutating func meet(
    _ step: Unmanaged<PlanStep>, in object: AnyObject, at position: Int
  ) -> Bool {
    step._withUnsafeGuaranteedRef { step in
      guard let property = step.classProperty(of: object) else { return false }
      if step.isWeak || property._withUnsafeGuaranteedRef({ $0.isManual }) { isTold = false }
      if step.isConstant { return true }
      let context = step.context(of: object)
      if matchedCount < links.count, links[matchedCount].stepIndex == position,
        links[matchedCount].isAttached(to: step.name, of: context)
      {
        matchedCount += 1
      } else {
        rewire(step, property, of: object, context, at: position)
      }
      return true
    }
  }

  private mutating func rewire(
    _ step: PlanStep, _ property: Unmanaged<ClassProperty>, of object: AnyObject,
    _ context: Unmanaged<ObservationContext>, at position: Int
  ) {
    let name = step.name
    let isLeaf = path._withUnsafeGuaranteedRef { position == $0.count - 1 }
    let observedKey = context._withUnsafeGuaranteedRef { $0.observedKey(named: name) }
    var idle: IdleParts?
    // Mostly the key is not observed yet, and so by none of the links (row: top link replaced).
    let isObserved = observedKey?._withUnsafeGuaranteedRef {
      $0.isObserved.load(ordering: .relaxed)
    }
    if isObserved == true,
      let index = links.firstIndex(where: { $0.isAttached(to: name, of: context) })
    {
      // An object may be on the path twice, and is notified once (P30).
      if index < matchedCount { return }
      let link = links[index]
      if link.isLeaf == isLeaf, link.order == .observer {
        link.stepIndex = position
        link.isBeforeLast = !isLeaf
        return moveUp(index)
      }
      idle = link.takeOut()
      removeLink(at: index)
    }
    let link = freeLink(at: position) ?? makeLink(at: position, isLeaf: isLeaf)
    link._withUnsafeGuaranteedRef {
      $0.attach(
        to: context, name, observedKey: observedKey,
        isManual: property._withUnsafeGuaranteedRef { $0.isManual })
      if step.isWeak { step.watch($0, of: object) }
      if let source = property._withUnsafeGuaranteedRef({ $0.source }) {
        $0.isAtSource = true
        $0.observedKey?.beginObservance(of: object, as: source)
      }
    }
    idle?.end()
  }

  // Not retained, since it is one of `links` (row: top link replaced).
  /// The link that stood at a position until now.
  ///
  /// It is used again, unless a delivery may still call it for the key that it leaves.
  private mutating func freeLink(at position: Int) -> Unmanaged<Link>? {
    for index in matchedCount..<links.count {
      let link = Unmanaged.passUnretained(links[index])
      if link._withUnsafeGuaranteedRef({ $0.stepIndex }) != position { continue }
      // The source would be notified, though the walk may come back to the key.
      if link._withUnsafeGuaranteedRef({ $0.isAtSource }) { return nil }
      let isDetached = link._withUnsafeGuaranteedRef {
        $0.detach()
        return $0.isDetached
      }
      if isDetached {
        removeLink(at: index)
        return nil
      }
      moveUp(index)
      return link
    }
    return nil
  }

  private mutating func makeLink(at position: Int, isLeaf: Bool) -> Unmanaged<Link> {
    let leaf = isLeaf ? path._withUnsafeGuaranteedRef { $0.leaf } : nil
    let link = Link(observation.takeUnretainedValue(), leaf: leaf)
    link.stepIndex = position
    link.isBeforeLast = !isLeaf
    links.insert(link, at: matchedCount)
    matchedCount += 1
    isChanged = true
    return .passUnretained(link)
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
}
