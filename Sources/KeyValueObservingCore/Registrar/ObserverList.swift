/// The observers of one key of one object, in the order in which they were attached (P10).
///
/// # Who is notified
///
/// A change notifies the observers that the list had when the change began, but for those that have ended
/// since (P13). Three things decide that, none of which needs a lock while the observers are called:
///
/// - **The index.** The snapshot of a change (`ObserverSnapshot`) names the buffer and how many entries it
///   had. Entries are only appended, so observers of later registrations are behind that.
/// - **The mark.** Each entry has an atomic word with the address of its observer. An observer that ends sets
///   it to zero (a closure), or is asked before each call (`Registration.isNotified(by:)`).
/// - **Numbers**, where an index does not say enough. A registration notes the first and the last snapshot
///   that may call it: a path that comes to lead to the key in a prior notification receives the change,
///   an observer that is registered there does not. And it notes in which epoch of the key's pairs it was
///   attached: `didChangeValue` notifies the observers that `willChangeValue` had (P19).
///
/// Dependents, which are notified after the observers of the key, have a list of their own.
///
/// A plain value: the context that owns it guards it with a lock. While a delivery reads it (while
/// it is *pinned*), the entries that were there when the delivery began do not move, so that the
/// delivery needs no lock: new entries are appended, a detached entry is only marked, and an
/// outgrown buffer is kept as long as a delivery may read it.
///
/// # Compaction
///
/// Deliveries of several threads may always overlap, so that there is no last one. When most entries are vacant, the end
/// of any delivery therefore leaves the buffers to those that still read them (`RetiredEntries`), and the list goes on
/// with a buffer of the attached entries. The former buffers, and the observers that had ended, go with the last
/// delivery that began before. Until then there is no other compaction, so that two kinds of deliveries are all there
/// are.
///
/// Indexes change with it, and snapshots from before do not know. An index of a snapshot is translated to compare it with
/// the list (`RetiredList.index(_:behind:)`). Transactions, which compare indexes of several snapshots, put a compaction off
/// (`addIndexKeeper()`).
@usableFromInline
struct ObserverList: ~Copyable {
  @usableFromInline
  typealias Buffer = UnsafeMutablePointer<ObserverEntry>

  private(set) var buffer: Buffer?
  /// The first buffer, which most keys do not outgrow (row: memory of the first observer).
  ///
  /// Once it is `buffer`, it is used only by that address, where it stays: a list is changed where it lies, in
  /// an object, and never moved. Swift does not promise that for the address of a variable, so
  /// `checkInvariants` looks.
  private var ownEntry = ObserverEntry()
  private(set) var count: Int32 = 0
  private(set) var live: Int32 = 0
  private var width = Width(0)

  private var capacity: Int32 { width.capacity }

  /// Whether the buffer has been allocated, and is not the own entry.
  private var isAllocated: Bool { capacity > 1 }

  /// Whether more than half of the entries are vacant.
  private var isSparse: Bool { live < count / 2 }

  /// Whether most of many entries are vacant.
  var isMostlyVacant: Bool { count - 2 * live > 64 }

  deinit {
    if isAllocated { buffer?.deallocate() }
  }

  /// Appends an entry, at the index `count`.
  ///
  /// Returns the former buffer if a new one was needed, which the caller keeps while a delivery
  /// reads it.
  ///
  /// - Complexity: O(1) amortized.
  mutating func append(_ entry: consuming ObserverEntry) -> OutgrownBuffer? {
    let outgrown = count == capacity ? grow() : nil
    (buffer! + Int(count)).initialize(to: entry)
    count += 1
    live += 1
    return outgrown
  }

  /// Makes room.
  private mutating func grow() -> OutgrownBuffer? {
    if capacity == 0 {
      width = Width(1)
      buffer = withUnsafeMutablePointer(to: &ownEntry) { $0 }
      return nil
    }
    let outgrown = OutgrownBuffer(buffer: buffer!, count: count, isAllocated: isAllocated)
    width.increase()
    let wider = Buffer.allocate(capacity: Int(capacity))
    for index in 0..<Int(count) {
      (wider + index).initialize(to: buffer![index].copied())
    }
    buffer = wider
    return outgrown
  }

  /// Removes a registration.
  ///
  /// While `isPinned`, its entry stays, and `sweep()` must follow.
  ///
  /// - Complexity: O(1) amortized, whatever the order of ending.
  mutating func remove(_ registration: Registration, isPinned: Bool) {
    live -= 1
    let index = Int(registration.index)
    // While it is pinned, the index keeps pointing to it, and it no longer knows the index.
    registration.index = -1
    if !isPinned { clear(index) }
  }

  /// Removes the closure at an index, and returns it to be released outside the lock.
  ///
  /// While `isPinned`, it is no longer called, but `sweep()` must follow, which returns it.
  ///
  /// - Complexity: O(1) amortized, whatever the order of ending.
  mutating func removeClosure(at index: Int32, isPinned: Bool) -> AnyHandler? {
    live -= 1
    let index = Int(index)
    buffer![index].mark.store(0, ordering: .releasing)
    if isPinned { return nil }
    let closure = buffer![index].closure.take()
    clear(index)
    return closure
  }

  private mutating func clear(_ index: Int) {
    buffer![index].mark.store(0, ordering: .relaxed)
    while count > 0, isVacant(Int(count) - 1) { count -= 1 }
    if isSparse { closeGaps() }
  }

  private func isVacant(_ index: Int) -> Bool {
    buffer![index].mark.load(ordering: .relaxed) == 0
  }

  /// Removes the entries that were detached while a delivery read the list.
  ///
  /// Returns the closures among them.
  mutating func sweep() -> [AnyHandler] {
    var ended: [AnyHandler] = []
    for index in 0..<Int(count) where !isAttached(index) {
      if let closure = buffer![index].closure.take() { ended.append(closure) }
      buffer![index].mark.store(0, ordering: .relaxed)
    }
    closeGaps()
    return ended
  }

  /// Leaves its buffer to the deliveries that read it, and goes on with one of the attached entries.
  ///
  /// - `outgrown`: The buffers that the list had before, which they read, too.
  mutating func compact(after outgrown: [OutgrownBuffer]) -> RetiredList {
    guard let former = buffer else { return RetiredList() }
    var retired = RetiredList(buffers: outgrown)
    retired.buffers.append(OutgrownBuffer(buffer: former, count: count, isAllocated: isAllocated))
    for index in 0..<count {
      if isAttached(Int(index)) {
        retired.indexes.append(index)
      } else if let closure = former[Int(index)].closure {
        retired.closures.append(closure)
      }
    }
    count = Int32(retired.indexes.count)
    width = Width(1)
    repeat { width.increase() } while capacity <= count
    let compacted = Buffer.allocate(capacity: Int(capacity))
    buffer = compacted
    for (index, formerIndex) in retired.indexes.enumerated() {
      (compacted + index).initialize(to: former[Int(formerIndex)].copied())
      moved(to: index)
    }
    return retired
  }

  private func isAttached(_ index: Int) -> Bool {
    switch buffer![index].content {
    case .closure: true
    case .registration(let registration):
      registration._withUnsafeGuaranteedRef { Int($0.index) == index }
    case .vacant: false
    }
  }

  /// Removes all and returns them in order.
  mutating func removeAll() -> [DetachedObserver] {
    var attached: [DetachedObserver] = []
    for index in 0..<Int(count) {
      if let token = buffer![index].token, let closure = buffer![index].closure.take() {
        token._withUnsafeGuaranteedRef { $0.index = -1 }
        attached.append(.closure(closure))
      } else if let registration = buffer![index].registration?.takeUnretainedValue(),
        Int(registration.index) == index
      {
        registration.index = -1
        attached.append(.registration(registration))
      }
    }
    live = 0
    count = 0
    return attached
  }

  /// Counts paths that came to lead to the key in the prior notifications of a pair among the observers of
  /// the pair.
  ///
  /// - `snapshot`: The observers of the pair, which is being extended.
  func moveArrivals(to snapshot: ObserverSnapshot) {
    for index in 0..<Int(count) {
      buffer![index].registration?._withUnsafeGuaranteedRef {
        if $0.pairEpoch.load(ordering: .relaxed) > snapshot.pairEpoch,
          !$0.isRegisteredAfter(snapshot)
        {
          $0.pairEpoch.store(snapshot.pairEpoch, ordering: .relaxed)
        }
      }
    }
  }

  /// Counts all observers among those of the first epoch.
  func forgetEpochs() {
    for index in 0..<Int(count) {
      buffer![index].token?._withUnsafeGuaranteedRef { $0.pairEpoch = 0 }
      buffer![index].registration?._withUnsafeGuaranteedRef {
        $0.pairEpoch.store(0, ordering: .relaxed)
      }
    }
  }

  /// The end of the observers that were attached in an epoch or before it.
  ///
  /// - `closuresOnly`: Whether it is that of the closures among them.
  ///
  /// - Complexity: O(*n*) in the number of those behind it.
  func end(upTo epoch: UInt32, closuresOnly: Bool = false) -> Int32 {
    var end = count
    while end > 0 {
      let attached: UInt32? =
        switch buffer![Int(end) - 1].content {
        case .closure(let token): token._withUnsafeGuaranteedRef { $0.pairEpoch }
        case .registration(let registration):
          closuresOnly
            ? nil : registration._withUnsafeGuaranteedRef { $0.pairEpoch.load(ordering: .relaxed) }
        case .vacant: nil
        }
      if let attached, attached <= epoch { break }
      end -= 1
    }
    return end
  }

  /// The registrations at an index and behind it.
  func registrations(from first: Int32) -> [Registration] {
    (first..<max(first, count)).compactMap { index in
      guard let registration = buffer![Int(index)].registration?.takeUnretainedValue(),
        registration.index == index
      else { return nil }
      return registration
    }
  }

  /// Counts the needs of those that are attached.
  func addNeeds(to counts: inout NeedCounts) {
    for index in 0..<Int(count) {
      let kind = buffer![index].kind
      if kind.isClosure { counts.add(kind.needs) }
    }
    for registration in registrations(from: 0) { counts.add(registration.requestedNeeds) }
  }

  private mutating func closeGaps() {
    var target = 0
    for index in target..<Int(count) where !isVacant(index) {
      if index != target {
        let entry = buffer![index].copied()
        (buffer! + target).initialize(to: entry)
        moved(to: target)
      }
      target += 1
    }
    count = Int32(target)
  }

  private func moved(to index: Int) {
    buffer![index].token?._withUnsafeGuaranteedRef { $0.index = Int32(index) }
    buffer![index].registration?._withUnsafeGuaranteedRef { $0.index = Int32(index) }
  }

  /// Traps where the observer list contradicts itself.
  ///
  /// Tests call it after every step.
  mutating func checkInvariants(isPinned: Bool) {
    if capacity == 1 {
      let ownAddress = withUnsafeMutablePointer(to: &ownEntry) { $0 }
      checkInvariant(buffer == ownAddress, "a list was moved after its first entry")
    }
    var attached: Int32 = 0
    for index in 0..<Int(count) {
      if let token = buffer![index].token {
        attached += 1
        checkInvariant(
          token.takeUnretainedValue().index == index,
          "a token does not know the index of its closure")
        checkInvariant(buffer![index].closure != nil, "a token without a closure")
      } else if let registration = buffer![index].registration?.takeUnretainedValue() {
        if Int(registration.index) == index {
          attached += 1
          registration.link?.checkInvariants()
        } else {
          checkInvariant(
            isPinned, "an entry outlived its registration: sweep after the last delivery")
        }
      } else {
        checkInvariant(
          isPinned || buffer![index].closure == nil, "a closure outlived its observation")
      }
    }
    checkInvariant(attached == live, "\(live) registrations counted, \(attached) found")
    checkInvariant(count <= capacity, "\(count) entries in a buffer of \(capacity)")
  }
}

extension ObserverList {
  /// How many entries a buffer has, in two bytes (row: memory).
  private struct Width {
    private var significand: UInt8
    private var exponent: UInt8 = 0

    init(_ capacity: UInt8) { significand = capacity }

    var capacity: Int32 {
      @inline(__always) get { Int32(significand) &<< Int32(exponent) }
    }

    /// Increases it by a quarter only, since entries are most of what a further observer takes.
    mutating func increase() {
      var wider = UInt16(significand) + max(5, UInt16(significand) / 4)
      if wider > UInt8.max {
        wider /= 2
        exponent += 1
      }
      significand = UInt8(wider)
    }
  }
}

/// Entries that an observer list had before it grew, which a delivery may still read.
struct OutgrownBuffer {
  let buffer: ObserverList.Buffer
  let count: Int32
  /// Whether it has memory of its own.
  let isAllocated: Bool

  // Without the end, where memory of another buffer may begin.
  /// Whether an address is one of its entries.
  func contains(_ address: ObserverList.Buffer) -> Bool {
    (buffer..<buffer + Int(count)).contains(address)
  }

  /// Calls the closure at an index no more.
  func clear(_ index: Int32) {
    if index < count { buffer[Int(index)].mark.store(0, ordering: .releasing) }
  }

  func deallocate() {
    if isAllocated { buffer.deallocate() }
  }
}

/// The registrations to a key whose object was deallocated.
enum DetachedObserver {
  case closure(AnyHandler)
  case registration(Registration)
}
