internal import Synchronization

/// The state of contexts with many observed keys, and of those whose object is watched, has an associated
/// object, or is the target of a weak property.
///
/// The table and the newest key are read without a lock; the rest is guarded by the context's lock, so
/// checks for exclusive access would be redundant.
final class ObservationContextExtras {
  /// The observed key that was made last, or 0.
  let newest: Atomic<UInt>
  /// The `ObservedKeyTable` of an object with many observed keys, retained, or 0.
  private let tableWord = Atomic<UInt>(0)
  weak var subject: AnyObject?
  @exclusivity(unchecked)
  var deallocationKey: ObservedKey?
  @exclusivity(unchecked)
  var associatedObject: AnyObject?
  /// Read without a lock: only an object that one thread uses at a time has any.
  @exclusivity(unchecked)
  var entryRecorders: [EntryRecorder] = []

  init(newest: UInt) {
    self.newest = Atomic(newest)
  }

  deinit {
    table?.release()
  }

  /// Finds the observed keys of an object with many of them.
  var table: Unmanaged<ObservedKeyTable>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: tableWord.load(ordering: .acquiring))
        .map(Unmanaged<ObservedKeyTable>.fromOpaque)
    }
  }

  /// Replaces the table by one that keeps it.
  func replaceTable(_ table: ObservedKeyTable) {
    tableWord.store(
      UInt(bitPattern: Unmanaged.passRetained(table).toOpaque()), ordering: .releasing)
  }
}
