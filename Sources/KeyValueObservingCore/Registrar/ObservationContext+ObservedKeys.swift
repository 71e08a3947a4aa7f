public import Synchronization

/// Observed keys are never removed, so they are found without a lock.
extension ObservationContext {
  /// The observed key that was made last.
  var newestKey: Unmanaged<ObservedKey>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: newest.load(ordering: .acquiring))
        .map(Unmanaged<ObservedKey>.fromOpaque)
    }
  }

  // MARK: Finding

  /// Whether a key with the name may have been observed; false for most that have not.
  ///
  /// No order is needed: the marks of an observed key are added before the key is found by any
  /// other means, and never removed. A thread that does not see one yet does not see what follows
  /// either, such as the first read by the observer.
  @inlinable
  @inline(__always)
  func mayHaveKey(named name: KeyName) -> Bool {
    marks.load(ordering: .relaxed) & name.markBit != 0
  }

  /// The observed key that has been observed.
  @inline(__always)
  func observedKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    identicalKey(named: name) ?? (mayHaveKey(named: name) ? equalKey(named: name) : nil)
  }

  /// The observed key, if it is found by where its name lies in memory.
  @inline(__always)
  func identicalKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    if let table { return table._withUnsafeGuaranteedRef { $0.identicalKey(named: name) } }
    return first { $0.isIdentical(to: name) }
  }

  // Out of line: it would take registers from those who have found the observed key
  // (row: set, 1 observer).
  @inline(never)
  private func equalKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    if let table { return table._withUnsafeGuaranteedRef { $0.equalKey(named: name) } }
    return first { $0 == name }
  }

  @inline(__always)
  private func first(where matches: (KeyName) -> Bool) -> Unmanaged<ObservedKey>? {
    var candidate = newestKey
    while let observedKey = candidate {
      if observedKey._withUnsafeGuaranteedRef({ matches($0.name) }) { return observedKey }
      candidate = observedKey._withUnsafeGuaranteedRef { $0.next }
    }
    return nil
  }

  /// The table of an object with many observed keys.
  private var table: Unmanaged<ObservedKeyTable>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: tableWord.load(ordering: .acquiring))
        .map(Unmanaged<ObservedKeyTable>.fromOpaque)
    }
  }

  /// Calls `body` with each observed key, the newest first.
  func forEachKey(_ body: (ObservedKey) -> Void) {
    var candidate = newestKey
    while let observedKey = candidate?.takeUnretainedValue() {
      body(observedKey)
      candidate = observedKey.next
    }
  }

  // MARK: Making

  /// The observed key, made if there is none.
  func makeObservedKey(named name: KeyName, isManual: Bool) -> ObservedKey {
    if let observedKey = observedKey(named: name) { return observedKey.takeUnretainedValue() }
    return lock.withLock { makeObservedKeyLocked(named: name, isManual: isManual) }
  }

  func makeObservedKeyLocked(named name: KeyName, isManual: Bool) -> ObservedKey {
    if let observedKey = observedKey(named: name) { return observedKey.takeUnretainedValue() }
    let made = ObservedKey(context: self, name: name, isManual: isManual, next: newestKey)
    marks.store(
      marks.load(ordering: .relaxed) | name.marksOfEqualNames, ordering: .relaxed)
    newest.store(
      UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()), ordering: .releasing)
    insertIntoTable(made)
    return made
  }

  /// So many observed keys are found by a table, which for fewer takes longer than a list.
  static var tableLimit: Int { 8 }

  /// How many observed keys are in the table; nil while there is none.
  var tableCount: Int? { table?._withUnsafeGuaranteedRef { $0.count } }

  /// Adds the newest observed key to the table, if there are many.
  ///
  /// A table that is full is replaced, and kept by the one that replaces it, because other threads
  /// may be reading it.
  private func insertIntoTable(_ observedKey: ObservedKey) {
    if let table, table._withUnsafeGuaranteedRef({ $0.insert(observedKey) }) { return }
    var count = 0
    forEachKey { _ in count += 1 }
    if count < ObservationContext.tableLimit { return }
    let made = ObservedKeyTable(capacity: count * 2, former: table?.takeRetainedValue())
    forEachKey { _ = made.insert($0) }
    tableWord.store(
      UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()), ordering: .releasing)
  }

  /// Releases the observed keys with the context.
  func releaseKeys() {
    // A loop, because releasing a chain of observed keys would recurse as deep as it is long.
    var candidate = newestKey
    while let observedKey = candidate {
      candidate = observedKey.takeUnretainedValue().next
      observedKey.release()
    }
    table?.release()
  }
}
