internal import Synchronization

/// Finds what is known of key paths by the identity of their objects, of which each literal in a program has
/// one.
///
/// Hashing a key path takes longer than all the rest of a registration.
///
/// Nothing is replaced, and the key paths are kept, so that no other can have the address. There is room
/// for more literals than a program has for one class. Generic code forms another key path object each time,
/// so the room is limited.
struct KeyPathCache: ~Copyable {
  private let lock = Lock()
  /// The table, retained, or 0 while it would be empty.
  private let word = Atomic<UInt>(0)
  private let count = Atomic<Int>(0)

  deinit {
    table?.release()
  }

  static var countLimit: Int { 1024 }

  private var table: Unmanaged<KeyPathTable>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
    }
  }

  @inline(__always)
  func find(_ keyPath: AnyKeyPath) -> KnownKeyPath? {
    let identity = UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque())
    return table?._withUnsafeGuaranteedRef { $0.find(identity) }
  }

  /// Remembers what is known of a key path, unless there are as many as `limit` already.
  ///
  /// A table that is full is replaced, and kept by the one that replaces it, because other threads
  /// may be reading it.
  func insert(_ known: KnownKeyPath, at keyPath: AnyKeyPath, upTo limit: Int) {
    if count.load(ordering: .relaxed) >= limit { return }
    lock.withLock {
      if find(keyPath) != nil { return }
      count.wrappingAdd(1, ordering: .relaxed)
      let former = table
      if former?.takeUnretainedValue().insert(known, at: keyPath) == true { return }
      let made = KeyPathTable(replacing: former?.takeRetainedValue())
      _ = made.insert(known, at: keyPath)
      word.store(
        UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()), ordering: .releasing)
    }
  }
}
