/// The observers of one key of one object, in the order in which they were attached (P10).
///
/// A plain value: the context that owns it guards it with a lock. While a delivery reads it (while
/// it is *pinned*), the entries that were there when the delivery began do not move, so that the
/// delivery needs no lock: new entries are appended, a detached entry is only marked, and an
/// outgrown buffer is kept until the last delivery has ended.
@usableFromInline
struct Audience: ~Copyable {
  @usableFromInline
  typealias Buffer = UnsafeMutablePointer<Entry>

  private(set) var buffer: Buffer?
  private(set) var count: Int32 = 0
  private(set) var live: Int32 = 0
  private var capacity: Int32 = 0
  /// The places in front of this one do not move, because changes were begun that may go on.
  private(set) var heldCount: Int32 = 0

  /// Whether more than half of the places that may move are vacant.
  var isSparse: Bool { live < (count - heldCount) / 2 }

  deinit {
    buffer?.deallocate()
  }

  /// Appends an entry, at the index `count`.
  ///
  /// Returns the former buffer if a new one was needed, which the caller keeps while a delivery
  /// reads it.
  ///
  /// - Complexity: O(1) amortized.
  mutating func append(_ entry: consuming Entry) -> OutgrownBuffer? {
    let outgrown = count == capacity ? grow() : nil
    (buffer! + Int(count)).initialize(to: entry)
    count += 1
    live += 1
    return outgrown
  }

  /// Makes room.
  ///
  /// By a quarter only, since places are most of what a further observer takes.
  private mutating func grow() -> OutgrownBuffer? {
    let outgrown = buffer.map { OutgrownBuffer(buffer: $0, count: count) }
    capacity += capacity == 0 ? 1 : max(4, capacity / 4)
    let wider = Buffer.allocate(capacity: Int(capacity))
    for place in 0..<Int(count) {
      (wider + place).initialize(to: buffer![place].copied())
    }
    buffer = wider
    return outgrown
  }

  /// Removes an attachment.
  ///
  /// While `isPinned`, its entry stays, and `sweep()` must follow.
  ///
  /// - Complexity: O(1) amortized, whatever the order of ending.
  mutating func remove(_ attachment: Attachment, isPinned: Bool) {
    live -= 1
    let place = Int(attachment.index)
    // While it is pinned, the place keeps pointing to it, and it no longer knows the place.
    attachment.index = -1
    if !isPinned { clear(place) }
  }

  /// Removes the closure at an index, and returns it to be released outside the lock.
  ///
  /// While `isPinned`, it is no longer called, but `sweep()` must follow, which returns it.
  ///
  /// - Complexity: O(1) amortized, whatever the order of ending.
  mutating func removeClosure(at place: Int32, isPinned: Bool) -> ErasedHandler? {
    live -= 1
    let place = Int(place)
    buffer![place].mark.store(0, ordering: .releasing)
    if isPinned { return nil }
    let closure = buffer![place].closure.take()
    clear(place)
    return closure
  }

  private mutating func clear(_ place: Int) {
    buffer![place].mark.store(0, ordering: .relaxed)
    while count > heldCount, isVacant(Int(count) - 1) { count -= 1 }
    if isSparse { closeGaps() }
  }

  private func isVacant(_ place: Int) -> Bool {
    buffer![place].mark.load(ordering: .relaxed) == 0
  }

  /// Closes the places of those who were detached while a delivery read them.
  ///
  /// Returns the closures among them.
  mutating func sweep() -> [ErasedHandler] {
    var ended: [ErasedHandler] = []
    for place in 0..<Int(count) {
      if let closure = buffer![place].closure, isVacant(place) {
        ended.append(closure)
        buffer![place].closure = nil
      } else if let attachment = buffer![place].attachment,
        attachment._withUnsafeGuaranteedRef({ Int($0.index) != place })
      {
        buffer![place].mark.store(0, ordering: .relaxed)
      }
    }
    closeGaps()
    return ended
  }

  /// Keeps places where they are until `endHold(isPinned:)`.
  mutating func hold(_ count: Int32) { heldCount = max(heldCount, count) }

  /// Lets the places move that were held.
  ///
  /// While `isPinned` they stay, and `sweep()` must follow if there are too many.
  mutating func endHold(isPinned: Bool) {
    heldCount = 0
    if !isPinned, isSparse { closeGaps() }
  }

  /// Forgets everybody and returns them in order.
  mutating func removeAll() -> [Attached] {
    var attached: [Attached] = []
    for place in 0..<Int(count) {
      if let token = buffer![place].token, let closure = buffer![place].closure.take() {
        token._withUnsafeGuaranteedRef { $0.lostPlace() }
        attached.append(.closure(closure))
      } else if let attachment = buffer![place].attachment?.takeUnretainedValue(),
        Int(attachment.index) == place
      {
        attachment.index = -1
        attached.append(.attachment(attachment))
      }
    }
    live = 0
    count = 0
    heldCount = 0
    return attached
  }

  /// The attachments at a place and behind it.
  func attachments(from first: Int32) -> [Attachment] {
    (first..<max(first, count)).compactMap { place in
      guard let attachment = buffer![Int(place)].attachment?.takeUnretainedValue(),
        attachment.index == place
      else { return nil }
      return attachment
    }
  }

  private mutating func closeGaps() {
    var target = Int(heldCount)
    for place in target..<Int(count) where !isVacant(place) {
      if place != target {
        let entry = buffer![place].copied()
        (buffer! + target).initialize(to: entry)
        moved(to: target)
      }
      target += 1
    }
    count = Int32(target)
  }

  private func moved(to place: Int) {
    buffer![place].token?._withUnsafeGuaranteedRef { $0.place = Int32(place) }
    buffer![place].attachment?._withUnsafeGuaranteedRef { $0.index = Int32(place) }
  }

  /// Traps where the audience contradicts itself.
  ///
  /// Tests call it after every step.
  func checkInvariants(isPinned: Bool) {
    var attached: Int32 = 0
    for place in 0..<Int(count) {
      if let token = buffer![place].token {
        attached += 1
        checkInvariant(
          token.takeUnretainedValue().place == place, "a token does not know its closure's place")
        checkInvariant(buffer![place].closure != nil, "a token without a closure")
      } else if let attachment = buffer![place].attachment?.takeUnretainedValue() {
        if Int(attachment.index) == place {
          attached += 1
          (attachment.observation as? Expression)?.checkInvariants()
        } else {
          checkInvariant(isPinned, "a place outlived its attachment: sweep after the last delivery")
        }
      } else {
        checkInvariant(
          isPinned || buffer![place].closure == nil, "a closure outlived its observation")
      }
    }
    checkInvariant(attached == live, "\(live) live attachments counted, \(attached) found")
    checkInvariant(count <= capacity, "\(count) places in a buffer of \(capacity)")
  }
}

/// Places that an audience had before it grew, which a delivery may still read.
struct OutgrownBuffer {
  let buffer: Audience.Buffer
  let count: Int32

  /// Calls the closure at a place no more.
  func clear(_ place: Int32) {
    if place < count { buffer[Int(place)].mark.store(0, ordering: .releasing) }
  }

  func deallocate() { buffer.deallocate() }
}

/// The attachments to a key whose object was deallocated.
enum Attached {
  case closure(ErasedHandler)
  case attachment(Attachment)
}
