internal import CKeyValueObserving
internal import Synchronization

// Noncopyable, so that its result takes over its parts (row: set an input).
/// Lists the keys that a derived value reads, and attaches the derived value to each as it is read.
///
/// Attaching comes before the value is read. So a set on another thread either comes first and its
/// value is read, or finds the derived value attached and makes it read again (P39).
///
/// It is on the stack of the evaluating function, and getters find it through their thread.
@usableFromInline
struct ReadRecorder: ~Copyable {
  fileprivate let purpose: Purpose
  /// The derived value that is evaluated, or whose rest is; nil for another purpose.
  fileprivate let derived: Unmanaged<DerivedValue>?
  /// The links to the keys that were read.
  fileprivate var met: MetLinks
  /// The part that few recordings need; nil until it is needed.
  fileprivate var storedExtras: ReadRecorderExtras?

  /// The same, made if there is none.
  var extras: ReadRecorderExtras {
    mutating get {
      let extras = storedExtras ?? ReadRecorderExtras()
      storedExtras = extras
      return extras
    }
  }

  // Without payloads: a structure with many parts is destroyed by way of its metadata (row: set an input).
  fileprivate enum Purpose {
    /// Is attached to what is read.
    case computed
    /// The same, on behalf of a path behind a collection.
    case rest
    /// The same, and each key has a role that depends on its position.
    case path
    /// Only lists what is read.
    case list
  }

  private init(
    _ purpose: Purpose, of derived: DerivedValue? = nil, _ links: consuming MetLinks = MetLinks()
  ) {
    self.purpose = purpose
    self.derived = derived.map(Unmanaged.passUnretained)
    met = links
  }

  /// The recorder of the innermost derived value that is evaluated on this thread.
  @inline(__always)
  static var current: UnsafeMutablePointer<ReadRecorder>? {
    ThreadState.current.pointee.recorder?.assumingMemoryBound(to: ReadRecorder.self)
  }

  /// Computes a derived value and attaches it to what it reads.
  static func evaluate(
    _ derived: DerivedValue, of subject: AnyObject, _ links: inout MetLinks,
    in used: consuming AnyValueBox?
  ) -> AnyValueBox? {
    var recorder = ReadRecorder(
      derived.isComputedKey ? .computed : .path, of: derived, exchange(&links, with: MetLinks()))
    let value = Computation.run(of: derived) {
      recorder.record { derived.compute(subject, in: used.take()) }
    }
    links = recorder.takeLinks()
    return value
  }

  /// Computes the rest of a path, behind links that were met, and attaches to what that reads.
  static func evaluateRest(
    of derived: DerivedValue, _ links: inout MetLinks, _ body: () -> AnyValueBox?
  ) -> AnyValueBox? {
    var recorder = ReadRecorder(.rest, of: derived, exchange(&links, with: MetLinks()))
    let value = recorder.record(body)
    links = recorder.takeLinks()
    return value
  }

  @inline(__always)
  private consuming func takeLinks() -> MetLinks {
    if let storedExtras, storedExtras.hasUnmatched { met.append(storedExtras.unmatched) }
    return met
  }

  /// Calls `body` with the keys that a closure reads, in that order, which it may not keep.
  static func withKeys<Result>(
    readBy read: () -> Void, _ body: ([(name: KeyName, object: ObjectIdentifier)]) -> Result
  ) -> Result {
    var recorder = ReadRecorder(.list)
    recorder.record(read)
    let keys = recorder.extras.listed
    defer { for key in keys { key.name.deallocate() } }
    return body(keys)
  }

  private mutating func record<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.pointee.recorder
    return withUnsafeMutablePointer(to: &self) { recorder in
      thread.pointee.recorder = UnsafeMutableRawPointer(recorder)
      kvo_recording_began()
      defer {
        kvo_recording_ended()
        thread.pointee.recorder = outer
      }
      return body()
    }
  }

  /// Up to so many keys are compared one by one, which is faster than hashing.
  fileprivate static var listLimit: Int { 16 }
}

extension UnsafeMutablePointer<ReadRecorder> {
  /// Notes that a key was read for which the derived value is attached already, if it was
  /// read in the evaluation before, at the same time.
  ///
  /// Returns false where it takes more.
  @inline(__always)
  func recordAgain(_ name: KeyName, of context: Unmanaged<ObservationContext>) -> Bool {
    guard let link = pointee.met.next,
      link._withUnsafeGuaranteedRef({
        $0.keyName(in: context)?.isIdentical(to: name) == true && !$0.hasDependencies
      })
    else { return false }
    switch pointee.purpose {
    case .computed: break
    case .rest where link._withUnsafeGuaranteedRef { $0.playsNoPart }: break
    case .rest, .path, .list: return false
    }
    pointee.met.meetNext()
    if pointee.storedExtras != nil { noteMet(link) }
    return true
  }

  @inline(never)
  private func noteMet(_ link: Unmanaged<Link>) { pointee.storedExtras?.noteMet(link) }

  /// Notes that a key was read, unless it is the next one that the evaluation before has read.
  @discardableResult
  func noteRead<Subject: KeyValueObservable>(
    _ name: KeyName, of subject: Subject, isComputed: Bool = false
  ) -> ObservedKey? {
    if let context = subject.keyValueRegistrar.unmanagedContext, recordAgain(name, of: context) {
      return nil
    }
    return note(name, of: subject, isComputed: isComputed)
  }

  /// Notes that a key was read.
  ///
  /// Returns its observed key when the derived value was newly attached to it.
  @discardableResult
  func note<Subject: KeyValueObservable>(
    _ name: KeyName, of subject: Subject, isComputed: Bool = false
  ) -> ObservedKey? {
    if case .list = pointee.purpose {
      pointee.extras.listed.append((name.kept(), ObjectIdentifier(subject)))
      return nil
    }
    let table = PropertyTable.of(type(of: subject))
    let observedKey = subject.observationContext.makeObservedKey(
      named: name, isManual: table.isManual(name))
    let dependencies = table.dependencies(of: name)
    let isNew = link(
      to: observedKey, of: table,
      dependsOnOthers: isComputed || dependencies != nil || table.isOverridden(name),
      hasDependencies: dependencies != nil)
    if isNew, let source = table.source { observedKey.beginObservance(of: subject, as: source) }
    if let dependencies { follow(dependencies, from: subject, observedKey: observedKey) }
    return isNew ? observedKey : nil
  }

  private func link(
    to observedKey: ObservedKey, of table: PropertyTable, dependsOnOthers: Bool,
    hasDependencies: Bool
  ) -> Bool {
    guard let derived else { return false }
    var order = NotificationOrder.observer
    switch pointee.purpose {
    case .computed: order = .dependent
    case .path: derived.willRead(observedKey, in: table, at: pointee.met.count)
    case .rest, .list: break
    }
    // The dependencies of the key are read as well, and notify of their changes. The key itself
    // notifies only its own observers of them (P22).
    if dependsOnOthers { order = .dependent }
    if isListed(observedKey) { return false }
    var idle: [IdleParts] = []
    if let index = indexAhead(of: observedKey),
      let link = pointee.met.meet(at: index, as: .input, order, &idle)
    {
      noteMet(link)
      link.hasDependencies = hasDependencies
      return false
    }
    let link = Link(derived)
    link.staysAtKey = table.source != nil
    link.hasDependencies = hasDependencies
    // A computed key requests prior notifications when it knows its inputs, if its observers need
    // them.
    if case .computed = pointee.purpose { link.requestedNeeds.remove(.prior) }
    _ = link.attach(
      to: observedKey.unmanagedContext, observedKey.name, .passUnretained(observedKey),
      isManual: observedKey.isManual, as: order)
    noteMet(link)
    pointee.met.insert(link)
    for parts in idle { parts.end() }
    return true
  }

  /// The index of the link to a key among those that have not been met.
  private func indexAhead(of observedKey: ObservedKey) -> Int? {
    if pointee.met.next?._withUnsafeGuaranteedRef({ $0.observedKey === observedKey }) == true {
      return pointee.met.count
    }
    // Most keys that were not met before have no observers.
    if !observedKey.isObserved.load(ordering: .relaxed) { return nil }
    if pointee.storedExtras?.hasUnmatched != true {
      let rest = pointee.met.count..<pointee.met.links.count
      if rest.count < ReadRecorder.listLimit {
        return rest.first { pointee.met.links[$0].observedKey === observedKey }
      }
      // To look through the list for each would take quadratic time where an array was sorted.
      pointee.extras.keepUnmatched(pointee.met.takeRest())
    }
    guard let link = pointee.extras.takeUnmatched(observedKey) else { return nil }
    pointee.met.append([link])
    return pointee.met.count
  }

  /// The derived value that is evaluated.
  var derived: DerivedValue? { pointee.derived?.takeUnretainedValue() }

  private func noteMet(_ link: Link) {
    link.stepIndex = -1
    if case .rest = pointee.purpose { link.isIntermediate = false }
    pointee.storedExtras?.noteMet(.passUnretained(link))
  }

  private func isListed(_ observedKey: ObservedKey) -> Bool {
    let met = pointee.met.links[..<pointee.met.count]
    if met.count < ReadRecorder.listLimit { return met.contains { $0.observedKey === observedKey } }
    let extras = pointee.extras
    if extras.observedKeys.isEmpty {
      extras.observedKeys = Set(met.compactMap { $0.observedKey.map(ObjectIdentifier.init) })
    }
    return extras.observedKeys.contains(ObjectIdentifier(observedKey))
  }

  /// Whether what is read is to show which keys a typed key path is made of.
  var isOfTypedPath: Bool {
    if case .list = pointee.purpose { true } else { false }
  }
}
