internal import Synchronization

/// A cached fact about a key path.
protocol CachedKeyPath: AnyObject, SendableMetatype {
  /// The key path, retained by the fact. Unmanaged, because all threads that look it up would change
  /// its one reference count.
  var keyPath: Unmanaged<AnyKeyPath> { get }
}

/// Finds facts by the identity of key path objects, of which each literal in a program has one.
///
/// Hashing a key path takes longer than all the rest of a registration.
///
/// Facts are never replaced, and keep their key paths, so that no other can have the address. There is room
/// for more literals than a program has for one class. Generic code forms another key path object each time,
/// so the room is limited.
struct KeyPathCache<Fact: CachedKeyPath>: ~Copyable {
  private let lock = Lock()
  /// The table, retained, or 0 while there are no facts.
  private let word = Atomic<UInt>(0)
  /// The number of facts.
  private let count = Atomic<Int>(0)

  deinit {
    table?.release()
  }

  static var countLimit: Int { 1024 }

  private var table: Unmanaged<KeyPathTable<Fact>>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring))
        .map(Unmanaged<KeyPathTable<Fact>>.fromOpaque)
    }
  }

  @inline(__always)
  func find(_ keyPath: AnyKeyPath) -> Unmanaged<Fact>? {
    let identity = Unmanaged.passUnretained(keyPath).toOpaque()
    return table?._withUnsafeGuaranteedRef { $0.find(identity) }
  }

  /// Remembers a fact, unless there are as many as `limit` already.
  ///
  /// A table that is full is replaced, and kept by the one that replaces it, because other threads
  /// may be reading it.
  func insert(_ fact: @autoclosure () -> Fact, upTo limit: Int = countLimit) {
    if count.load(ordering: .relaxed) >= limit { return }
    let fact = fact()
    lock.withLock {
      let former = table
      if former?.takeUnretainedValue().find(fact.keyPath.toOpaque()) != nil { return }
      count.wrappingAdd(1, ordering: .relaxed)
      if former?.takeUnretainedValue().insert(fact) == true { return }
      let made = KeyPathTable(replacing: former?.takeRetainedValue())
      _ = made.insert(fact)
      word.store(
        UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()), ordering: .releasing)
    }
  }
}
