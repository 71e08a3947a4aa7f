/// Who is attached to one key of one object, in the order in which they were attached (P10).
///
/// A plain value: the context that owns it guards it with a lock. While a delivery reads it (while
/// it is *pinned*), the places that were there when the delivery began do not change, so that the
/// delivery needs no lock: whoever is attached goes behind them, whoever is detached only leaves a
/// mark, and a buffer that had to grow is kept until the last delivery is done.
@usableFromInline
struct Audience: ~Copyable {
  @usableFromInline
  typealias Buffer = UnsafeMutablePointer<Unmanaged<Attachment>?>

  private(set) var buffer: Buffer?
  private(set) var count: Int32 = 0
  private(set) var live: Int32 = 0
  private var capacity: Int32 = 0

  deinit {
    buffer?.deallocate()
  }

  /// Puts an attachment behind all others. Returns the former buffer if a new one was needed,
  /// which the caller keeps while a delivery reads it.
  ///
  /// Complexity: O(1) amortised.
  mutating func append(_ attachment: Attachment) -> Buffer? {
    var outgrown: Buffer?
    if count == capacity {
      // The smallest block that malloc hands out on Linux has room for three.
      let wider = capacity == 0 ? 3 : capacity * 2
      let copy = Buffer.allocate(capacity: Int(wider))
      if let buffer {
        copy.initialize(from: buffer, count: Int(count))
        outgrown = buffer
      }
      buffer = copy
      capacity = wider
    }
    attachment.index = count
    (buffer! + Int(count)).initialize(to: .passUnretained(attachment))
    count += 1
    live += 1
    return outgrown
  }

  /// Takes an attachment out. While `isPinned` its place stays, and `sweep()` must follow.
  ///
  /// Complexity: O(1) amortised, whatever the order of ending.
  mutating func remove(_ attachment: Attachment, isPinned: Bool) {
    live -= 1
    if isPinned {
      // The place keeps pointing to it, and it no longer knows the place.
      attachment.index = -1
      return
    }
    buffer![Int(attachment.index)] = nil
    attachment.index = -1
    while count > 0, buffer![Int(count) - 1] == nil { count -= 1 }
    if live < count / 2 { closeGaps() }
  }

  /// Closes the places of those who were detached while a delivery read them.
  mutating func sweep() {
    for place in 0..<Int(count) {
      guard let entry = buffer![place] else { continue }
      let isAttached = entry._withUnsafeGuaranteedRef { Int($0.index) == place }
      if !isAttached { buffer![place] = nil }
    }
    closeGaps()
  }

  /// Forgets everybody and returns them in order.
  mutating func removeAll() -> [Attachment] {
    var attachments: [Attachment] = []
    for place in 0..<Int(count) {
      guard let attachment = buffer![place]?.takeUnretainedValue(),
        Int(attachment.index) == place
      else { continue }
      attachment.index = -1
      attachments.append(attachment)
    }
    live = 0
    count = 0
    return attachments
  }

  /// Those at a place and behind it.
  func attachments(from first: Int32) -> [Attachment] {
    (first..<max(first, count)).compactMap { place in
      guard let attachment = buffer![Int(place)]?.takeUnretainedValue(), attachment.index == place
      else { return nil }
      return attachment
    }
  }

  private mutating func closeGaps() {
    var target: Int32 = 0
    for place in 0..<Int(count) {
      guard let entry = buffer![place] else { continue }
      buffer![Int(target)] = entry
      entry._withUnsafeGuaranteedRef { $0.index = target }
      target += 1
    }
    count = target
  }

  /// Traps where the audience contradicts itself. Tests call it after every step.
  func checkInvariants(isPinned: Bool) {
    var attached: Int32 = 0
    for place in 0..<Int(count) {
      guard let attachment = buffer![place]?.takeUnretainedValue() else { continue }
      if Int(attachment.index) == place {
        attached += 1
        (attachment.observation as? Expression)?.checkInvariants()
      } else {
        precondition(isPinned, "a place outlived its attachment: sweep after the last delivery")
      }
    }
    precondition(attached == live, "\(live) live attachments counted, \(attached) found")
    precondition(count <= capacity, "\(count) places in a buffer of \(capacity)")
  }
}
