/// Entries of an observed key that only deliveries read which began before its lists were compacted.
///
/// See "Compaction" in `ObserverList`.
struct RetiredEntries {
  /// The number of the last snapshot that was taken before.
  let lastNumber: UInt64
  /// How many deliveries with such a snapshot are not over.
  var pins: Int32
  let observers: RetiredList
  let dependents: RetiredList
  /// The registrations that were detached before, which the key does not retain otherwise.
  let registrations: [Registration]

  /// The closures of observers that had ended.
  var closures: [AnyHandler] { observers.closures + dependents.closures }

  func deallocate() {
    observers.deallocate()
    dependents.deallocate()
  }
}

/// The part of one list.
struct RetiredList {
  /// The buffers, whose indexes agree.
  var buffers: [OutgrownBuffer] = []
  /// The index in these of each entry that the list has kept, in order.
  var indexes: [Int32] = []
  /// The closures of observers that had ended.
  var closures: [AnyHandler] = []

  /// The index that the list has given to the first entry which it has kept of those at an index or behind it, counted
  /// from an entry; nil if that is in none of these buffers.
  ///
  /// - Complexity: O(*n*) in the number of entries that it has kept.
  func index(_ index: Int32, behind first: ObserverList.Buffer) -> Int32? {
    guard let buffer = buffers.first(where: { $0.contains(first) }) else { return nil }
    let former = Int32(first - buffer.buffer) + index
    return Int32(indexes.prefix { $0 < former }.count)
  }

  /// Calls a closure no more to which the list has given an index.
  func clear(_ index: Int32) {
    guard index < indexes.count else { return }
    for buffer in buffers { buffer.clear(indexes[Int(index)]) }
  }

  func deallocate() {
    for buffer in buffers { buffer.deallocate() }
  }
}
