/// The lifecycle of a screen, or of anything else that is loaded, appears, disappears and ends.
///
/// A ``LifecycleOwner`` has one and moves it from phase to phase, or its UI toolkit does. Lifecycle
/// observers are notified of the moments in between, scoped observations begin and end with their spans,
/// and `phase` can be observed like any other property:
///
///     final class Screen: LifecycleOwner {
///       let lifecycle = Lifecycle()
///     }
///
///     screen.lifecycle.move(to: .visible)  // did load, will appear, did appear
///
/// It retains its observers and its scoped observations until they are removed or it ends, and neither
/// its owner nor the objects that are observed. Use it where its owner is used: on one actor, or in
/// code without one on one thread at a time.
@KeyValueObservable
public final class Lifecycle {
  /// The present phase.
  ///
  /// Its observers are notified before lifecycle observers; in a transaction at its end. A rollback does not put it
  /// back (P51): lifecycle observers have been notified, and scoped observations have begun and ended.
  public var phase: Phase {
    if KeyValueRegistrar.isTracking { keyValueRegistrar.access("phase", of: self) }
    return storedPhase
  }
  @KeyValueIgnored private var storedPhase: Phase = .created

  /// Whether the owner has been visible since it last began to appear: a late observer is not notified
  /// of an appearance that was cancelled.
  @KeyValueIgnored private var wasVisible = false
  /// Moves to be made when the callbacks that asked for them have returned.
  @KeyValueIgnored private var waitingMoves: [Phase] = []
  @KeyValueIgnored private var isDelivering = false
  /// Counts the phases that it has entered, or is about to enter.
  @KeyValueIgnored private(set) var moveNumber = 0
  /// The last of these.
  @KeyValueIgnored private(set) var enteredPhase: Phase = .created
  /// Whether it was reported that the owner is gone.
  @KeyValueIgnored private var hasReportedOwner = false

  @KeyValueIgnored var observers: [ObserverRegistration] = []
  @KeyValueIgnored var observations: [LifecycleObservation] = []
  /// How many there may be before those whose objects are gone are looked for.
  @KeyValueIgnored private var observationLimit = 16
  @KeyValueIgnored var children: [any LifecycleOwner] = []
  @KeyValueIgnored weak var parent: Lifecycle?

  /// Creates the lifecycle of an owner that is not loaded yet.
  public init() {}

  // The owner may have been deallocated in any phase, and an observation may be kept elsewhere.
  deinit {
    for observation in observations { observation.end() }
  }

  /// Moves to a phase, through every phase on the way.
  ///
  /// Guarantee: P80.
  ///
  /// In each phase on the way these are notified, in this order: observers of ``phase``; scoped
  /// observations that begin receive their `initial` change; lifecycle observers, in the order in
  /// which they were added; children; then scoped observations end whose span is over. All of it
  /// happens before this returns. Called in one of these callbacks, it returns immediately, and the
  /// move is made when everything has been notified of the present one (P81).
  ///
  /// From `appearing` to `disappearing` an appearance is cancelled, and from `disappearing` to
  /// `appearing` or `visible` a disappearance; no other phase is left out. Moving to the present phase
  /// does nothing. Nothing leads back to `created` and nothing out of `ended`: one diagnostic is
  /// reported then, and the phase stays. So is one if callbacks do not stop moving.
  ///
  /// - Parameter phase: A phase.
  ///
  /// - Complexity: O(*n*) in the number of observers, scoped observations and children, for each
  ///   phase.
  public func move(to phase: Phase) {
    waitingMoves.append(phase)
    delivering {}
  }

  /// Calls observers, and makes the moves that they ask for afterwards.
  func delivering(_ notify: () -> Void) {
    if isDelivering { return notify() }
    isDelivering = true
    notify()
    var count = 0
    while !waitingMoves.isEmpty {
      make(waitingMoves.removeFirst())
      count += 1
      if count == Lifecycle.moveLimit, !waitingMoves.isEmpty {
        waitingMoves = []
        KeyValueDiagnostics.report(.nonConvergentMoves(in: phase, after: count))
      }
    }
    isDelivering = false
  }

  private static var moveLimit: Int { 1000 }

  private func make(_ target: Phase) {
    if target == phase { return }
    if phase == .ended || target == .created {
      return KeyValueDiagnostics.report(.impossibleMove(from: phase, to: target))
    }
    let start = phase
    repeat { enter(phase.next(toward: target, from: start)) } while phase != target
  }

  private func enter(_ next: Phase) {
    let moment = Moment(from: phase, to: next)
    switch next {
    case .visible: wasVisible = true
    case .appearing: wasVisible = false
    default: break
    }
    moveNumber += 1
    enteredPhase = next
    withMutation(of: \.phase) { storedPhase = next }
    // Observations that are added in between are brought up to the phase on their own.
    for observation in observations where observation.span.contains(next) { observation.enter() }
    if let moment { notifyObservers(of: moment) }
    for child in children where child.lifecycle.parent === self { child.lifecycle.follow(next) }
    for observation in observations where !observation.span.contains(next) { observation.leave() }
    if next == .ended { releaseAll() } else { forgetEnded() }
  }

  /// The moments that have led to the present phase, as of the last appearance.
  var momentsSoFar: [Moment] {
    switch phase {
    case .created, .ended: []
    case .loaded: [.didLoad]
    case .appearing: [.didLoad, .willAppear]
    case .visible: [.didLoad, .willAppear, .didAppear]
    case .disappearing:
      wasVisible
        ? [.didLoad, .willAppear, .didAppear, .willDisappear]
        : [.didLoad, .willAppear, .willDisappear]
    }
  }

  /// Reports that the owner is gone, once.
  func ownerIsGone(_ type: Any.Type) {
    if hasReportedOwner { return }
    hasReportedOwner = true
    KeyValueDiagnostics.report(.deallocatedOwner(type, phase: phase))
  }

  /// Forgets what has ended by itself.
  private func forgetEnded() {
    observations.removeAll { !$0.isActive }
  }

  /// Ends the observations whose objects are gone, when their number has doubled: a lifecycle may stay in one
  /// phase for as long as a program runs.
  func endOrphans() {
    guard observations.count > observationLimit else { return }
    let orphans = observations.filter(\.isOrphaned)
    let identities = Set(orphans.map(ObjectIdentifier.init))
    observations.removeAll { identities.contains(ObjectIdentifier($0)) }
    observationLimit = max(16, observations.count * 2)
    for orphan in orphans { orphan.end() }
  }

  private func releaseAll() {
    // Not where the parent ends, which releases all of its children.
    if let parent, parent.storedPhase != .ended {
      parent.children = parent.children.filter { $0.lifecycle !== self }
    }
    parent = nil
    // One that is called back now follows later, and is no child any more.
    for child in children { child.lifecycle.parent = nil }
    let (observers, observations, children) = (observers, observations, children)
    self.observers = []
    self.observations = []
    self.children = []
    for observation in observations { observation.end() }
    // Here, after the lifecycle has ended, they are released.
    withExtendedLifetime((observers, children)) {}
  }
}
