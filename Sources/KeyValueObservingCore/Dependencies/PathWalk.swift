/// Walks along a path and attaches an observation to each key, where it is not attached already.
///
/// Attaching comes before the value is read, as in a `Recording`.
struct PathWalk: ~Copyable {
  private let observation: PathObservation
  private let path: KnownPath
  /// The links that have been met, in their order, and behind them those from the walk before that
  /// may still be.
  private(set) var links: [Link]
  private var metCount = 0
  private var isChanged = false

  init(of observation: PathObservation, along path: KnownPath, known: [Link]) {
    self.observation = observation
    self.path = path
    links = known
  }

  /// Walks to the end of the path, or to where a link is nil. Returns nil if there is an object in
  /// the way whose class makes a stored property something else.
  mutating func run(from subject: AnyObject, readsValue: Bool) -> Evaluation? {
    var object = subject
    let last = path.steps.count - 1
    for place in 0...last {
      let step = path.steps[place]
      guard let property = step.classProperty(of: object) else { return nil }
      if step.property.kind != .constant { meet(step, property, of: object, at: place) }
      if place == last {
        return evaluation(value: readsValue ? path.value(in: object) : nil)
      }
      guard let next = step.property.object(in: object) else { break }
      object = next
    }
    return evaluation(value: readsValue ? path.none : nil)
  }

  private mutating func evaluation(value: AnyValueBox?) -> Evaluation {
    if metCount == links.count {
      return Evaluation(value: value, links: isChanged ? links : nil, dropped: [])
    }
    return Evaluation(
      value: value, links: Array(links[..<metCount]), dropped: Array(links[metCount...]))
  }

  @inline(__always)
  private mutating func meet(
    _ step: PathStep, _ property: Unmanaged<ClassProperty>, of object: AnyObject, at place: Int
  ) {
    let context = step.context(of: object)
    if metCount < links.count, links[metCount].place == place,
      links[metCount].isAttached(to: step.property.name, of: context)
    {
      metCount += 1
    } else {
      rewire(step, property, of: object, context, at: place)
    }
  }

  private mutating func rewire(
    _ step: PathStep, _ property: Unmanaged<ClassProperty>, of object: AnyObject,
    _ context: Unmanaged<Context>, at place: Int
  ) {
    let name = step.property.name
    let leaf = place == path.steps.count - 1 ? path.leaf : nil
    if let index = links.firstIndex(where: { $0.isAttached(to: name, of: context) }) {
      // An object may stand on the path twice, and hears once (P30).
      if index < metCount { return }
      let link = links[index]
      if (link.leaf == nil) == (leaf == nil), link.rank == .observer {
        observation.place(link, at: place, isBeforeLast: leaf == nil)
        return moveUp(index)
      }
      link.detach()
      removeLink(at: index)
    }
    let link = freeLink(at: place) ?? makeLink(at: place, leaf)
    link.attach(
      to: context.takeUnretainedValue(), name,
      isManual: property._withUnsafeGuaranteedRef { $0.isManual })
    if step.property.kind == .weak { step.watch(link, of: object) }
  }

  /// The link that stood at a place until now. It is used again, unless a delivery may still call it
  /// for the key that it leaves.
  private mutating func freeLink(at place: Int) -> Link? {
    var index = metCount
    while index < links.count, links[index].place != place { index += 1 }
    if index == links.count { return nil }
    let link = links[index]
    link.detach()
    guard link.isFree else {
      removeLink(at: index)
      return nil
    }
    moveUp(index)
    return link
  }

  private mutating func makeLink(at place: Int, _ leaf: LeafValue?) -> Link {
    let link = Link(observation, leaf: leaf)
    observation.place(link, at: place, isBeforeLast: leaf == nil)
    links.insert(link, at: metCount)
    metCount += 1
    isChanged = true
    return link
  }

  /// Counts a link among those that have been met.
  private mutating func moveUp(_ index: Int) {
    if index != metCount {
      links.insert(links.remove(at: index), at: metCount)
      isChanged = true
    }
    metCount += 1
  }

  private mutating func removeLink(at index: Int) {
    links.remove(at: index)
    isChanged = true
  }
}
