internal import Synchronization

/// Finds the observed keys of an object with many of them by the address of a name, or by its text.
///
/// Any thread may read it without a lock. Threads that insert hold the lock of the context, which
/// keeps the observed keys. Nothing is removed.
final class ObservedKeyTable {
  /// A slot for each observed key by the address of its name, then one by the hash of its text; 0
  /// if it is free.
  ///
  /// A key is in the first free slot from that of its address or hash on.
  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  /// How many slots each half has, less one: a power of two less one.
  private let mask: Int
  private(set) var count = 0
  /// The table that this one has replaced, which other threads may be reading.
  private let former: ObservedKeyTable?

  init(capacity: Int, former: ObservedKeyTable?) {
    var slotCount = 16
    while slotCount < capacity * 2 { slotCount *= 2 }
    mask = slotCount - 1
    slots = .allocate(capacity: slotCount * 2)
    for slot in 0..<slotCount * 2 { (slots + slot).initialize(to: Atomic(0)) }
    self.former = former
  }

  deinit {
    slots.deallocate()
  }

  @inline(__always)
  func identicalKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    first(in: slots, from: slot(ofNameAt: name.start)) { $0.isIdentical(to: name) }
  }

  func equalKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    first(in: slots + mask + 1, from: slot(ofText: name)) { $0 == name }
  }

  /// Adds an observed key that is not in the table yet.
  ///
  /// Returns false, and does nothing, if half of the slots are taken.
  func insert(_ observedKey: ObservedKey) -> Bool {
    if count * 2 > mask { return false }
    count += 1
    store(observedKey, in: slots, from: slot(ofNameAt: observedKey.name.start))
    store(observedKey, in: slots + mask + 1, from: slot(ofText: observedKey.name))
    return true
  }

  private func store(
    _ observedKey: ObservedKey, in half: UnsafeMutablePointer<Atomic<UInt>>, from first: Int
  ) {
    var slot = first
    while half[slot].load(ordering: .relaxed) != 0 { slot = (slot + 1) & mask }
    half[slot].store(
      UInt(bitPattern: Unmanaged.passUnretained(observedKey).toOpaque()), ordering: .releasing)
  }

  @inline(__always)
  private func first(
    in half: UnsafeMutablePointer<Atomic<UInt>>, from first: Int, where matches: (KeyName) -> Bool
  ) -> Unmanaged<ObservedKey>? {
    var slot = first
    while let found = UnsafeRawPointer(bitPattern: half[slot].load(ordering: .acquiring)) {
      let observedKey = Unmanaged<ObservedKey>.fromOpaque(found)
      if observedKey._withUnsafeGuaranteedRef({ matches($0.name) }) { return observedKey }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// The names of a class lie next to each other, so their addresses differ in the last bits.
  @inline(__always)
  private func slot(ofNameAt start: UnsafePointer<UInt8>) -> Int {
    let address = UInt(bitPattern: start)
    return Int(truncatingIfNeeded: address ^ address >> 7) & mask
  }

  // Equal texts of different forms have one hash, and no document can choose names with the same one.
  private func slot(ofText name: KeyName) -> Int { name.text.hashValue & mask }
}
