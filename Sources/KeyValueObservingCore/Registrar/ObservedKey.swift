internal import Synchronization

/// One key of one object: what observers attach to, and what a recording of reads lists.
///
/// There are two kinds. The first observed key of an object is its `ObservationContext`; each further one is
/// a `FurtherObservedKey`. Most observed objects have one observed key, and need one allocation instead of two
/// (row: memory of the first observer).
@usableFromInline
class ObservedKey {
  // The fields are ordered so that neither these nor those of the context leave a gap (row: memory).

  // The parts of `name`, which puts them together again, with a mark that is right for every name.
  @exclusivity(unchecked)
  private final var nameStart: UnsafePointer<UInt8>
  @exclusivity(unchecked)
  private final var nameCount: UInt32
  @exclusivity(unchecked)
  private final var traits: Traits
  /// Whether an observer or a dependent is attached, which is what `state` says, to be read without a lock.
  final let isObserved = Atomic<Bool>(false)
  /// How many mutation blocks of the key are open, on all threads.
  ///
  /// Each takes its part of a stack, so there are never too many to count.
  @exclusivity(unchecked)
  final var mutationBlockCount: UInt16 = 0
  /// Makes the changes for closures in the observer list; a property of the class keeps it.
  ///
  /// Set with the first of them, unless the values are of type `Any?`.
  @exclusivity(unchecked)
  final var accessor: Unmanaged<KeyValueAccessor>?
  // Exclusive because the lock of the context is held; checking it again would cost as much.
  @exclusivity(unchecked)
  final var state = ObservedKeyState()

  /// The part of a key that no longer changes once the key is found.
  private struct Traits: OptionSet {
    let rawValue: UInt8

    static var isContext: Traits { Traits(rawValue: 1) }
    static var isManual: Traits { Traits(rawValue: 2) }
    /// Whether the text of its name lives as long as the program.
    static var hasStaticName: Traits { Traits(rawValue: 4) }
  }

  /// Makes one without a name, which `become(_:isManual:)` gives it.
  init(isContext: Bool) {
    let name = KeyName("")
    nameStart = name.start
    nameCount = name.count
    traits = isContext ? [.isContext, .hasStaticName] : .hasStaticName
  }

  /// Makes it the key of a name, before it can be found: a context the first one, with the lock held.
  final func become(_ name: KeyName, isManual: Bool) {
    let name = name.kept()
    nameStart = name.start
    nameCount = name.count
    if !name.isStatic { traits.remove(.hasStaticName) }
    if isManual { traits.insert(.isManual) }
  }

  deinit {
    name.deallocate()
  }

  final var name: KeyName {
    @inline(__always) get {
      KeyName(owning: nameStart, count: nameCount, isStatic: traits.contains(.hasStaticName))
    }
  }

  /// Whether the class switched automatic notification of the key off.
  final var isManual: Bool {
    @inline(__always) get { traits.contains(.isManual) }
  }

  /// Whether a setter notifies observers on whatever thread it runs.
  ///
  /// False also while a mutation block of the key is open on any thread, where `isInMutationBlock` distinguishes
  /// which one. Guarded by the context's lock.
  final var certainlyNotifies: Bool {
    @inline(__always) get { state.isObserved && !isManual && mutationBlockCount == 0 }
  }

  /// The context, which keeps the observed key.
  ///
  /// Unmanaged, since a retain here would be paid by every set.
  final var unmanagedContext: Unmanaged<ObservationContext> {
    @inline(__always) get {
      traits.contains(.isContext)
        ? .passUnretained(unsafeDowncast(self, to: ObservationContext.self))
        : unsafeDowncast(self, to: FurtherObservedKey.self).owner
    }
  }

  /// Computes the key, if it is one that depends on others.
  final var anyComputedKey: (any KeyComputing)? { withLock { state.extras?.computedKey } }

  /// Whether the key is one that depends on others.
  final var isComputed: Bool { withLock { state.isComputed } }

  final var context: ObservationContext { unmanagedContext.takeUnretainedValue() }

  /// The observed key of the same context that was made before this one.
  final var previous: Unmanaged<ObservedKey>? {
    @inline(__always) get {
      traits.contains(.isContext)
        ? nil : unsafeDowncast(self, to: FurtherObservedKey.self).former
    }
  }

  /// Calls `body` with the lock of the context held, without retaining the context.
  @inline(__always)
  final func withLock<Result>(_ body: () -> Result) -> Result {
    unmanagedContext._withUnsafeGuaranteedRef { $0.lock.withLock(body) }
  }
}

/// An observed key that is not the first of its object, or is none of its properties.
final class FurtherObservedKey: ObservedKey {
  fileprivate let owner: Unmanaged<ObservationContext>
  fileprivate let former: Unmanaged<ObservedKey>?

  init(
    of context: ObservationContext, named name: KeyName, isManual: Bool,
    former: Unmanaged<ObservedKey>?
  ) {
    owner = .passUnretained(context)
    self.former = former
    super.init(isContext: false)
    become(name, isManual: isManual)
  }
}

/// The identity of an observed key: its address, which may have been deallocated.
typealias ObservedKeyIdentity = UnsafeRawPointer

extension ObservedKey {
  final var identity: ObservedKeyIdentity {
    ObservedKeyIdentity(Unmanaged.passUnretained(self).toOpaque())
  }
}
