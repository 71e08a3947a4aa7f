internal import Synchronization

/// Objects that are found by an address, by any thread and without a lock: lists that only grow.
struct AddressTable<Entry: AddressTableEntry>: ~Copyable, @unchecked Sendable {  // atomic heads
  /// The first entry of each list, retained, or 0.
  private let heads: UnsafeMutablePointer<Atomic<UInt>>
  /// The number of lists, less one: a power of two less one.
  private let mask: UInt

  init(listCount: Int) {
    heads = .allocate(capacity: listCount)
    mask = UInt(listCount - 1)
    for list in 0..<listCount { (heads + list).initialize(to: Atomic(0)) }
  }

  deinit {
    for list in 0...Int(mask) {
      var entry = entry(heads[list].load(ordering: .relaxed))
      while let released = entry {
        entry = released._withUnsafeGuaranteedRef { self.entry($0.next) }
        released.release()
      }
    }
    heads.deallocate()
  }

  @inline(__always)
  func find(_ address: UInt) -> Unmanaged<Entry>? {
    find(address, from: head(of: address).pointee.load(ordering: .acquiring))
  }

  /// Adds an entry, and keeps it, unless there is one with its address.
  ///
  /// Returns the one that is found from now on.
  func insert(_ made: Entry) -> Unmanaged<Entry> {
    let head = head(of: made.address)
    var first = head.pointee.load(ordering: .acquiring)
    while true {
      if let found = find(made.address, from: first) { return found }
      made.next = first
      let retained = Unmanaged.passRetained(made)
      let (exchanged, original) = head.pointee.compareExchange(
        expected: first, desired: UInt(bitPattern: retained.toOpaque()),
        ordering: .acquiringAndReleasing)
      if exchanged { return retained }
      retained.release()
      first = original
    }
  }

  @inline(__always)
  private func find(_ address: UInt, from first: UInt) -> Unmanaged<Entry>? {
    var candidate = entry(first)
    while let entry = candidate {
      if entry._withUnsafeGuaranteedRef({ $0.address }) == address { return entry }
      candidate = entry._withUnsafeGuaranteedRef { self.entry($0.next) }
    }
    return nil
  }

  @inline(__always)
  private func entry(_ bits: UInt) -> Unmanaged<Entry>? {
    UnsafeRawPointer(bitPattern: bits).map(Unmanaged.fromOpaque)
  }

  /// Objects lie at multiples of 16, and those of one program mostly next to each other.
  @inline(__always)
  private func head(of address: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
    heads + Int((address >> 4 ^ address >> 10) & mask)
  }
}

/// An object in an `AddressTable`.
@usableFromInline
class AddressTableEntry {
  final let address: UInt
  /// The one behind it in its list, or 0; set before it is found.
  @exclusivity(unchecked)
  fileprivate final var next: UInt = 0

  init(address: UInt) {
    self.address = address
  }
}
