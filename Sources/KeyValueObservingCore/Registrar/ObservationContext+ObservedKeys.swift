public import Synchronization

/// Observed keys are never removed, so they are found without a lock.
extension ObservationContext {
  private var currentWord: ObservationContextWord {
    @inline(__always) get { ObservationContextWord(word.load(ordering: .acquiring)) }
  }

  /// The state that few contexts need.
  var extras: ObservationContextExtras? { unmanagedExtras?.takeUnretainedValue() }

  /// The same, not retained.
  var unmanagedExtras: Unmanaged<ObservationContextExtras>? { currentWord.extras }

  /// The extras, made if there are none, with the lock held.
  func madeExtrasLocked() -> ObservationContextExtras {
    let former = currentWord
    if let extras = former.extras { return extras.takeUnretainedValue() }
    let made = ObservationContextExtras(newest: former.bits)
    word.store(ObservationContextWord(Unmanaged.passRetained(made)).bits, ordering: .releasing)
    return made
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
    mark(of: name) != 0
  }

  /// The mark of a name, if it is among those of the context; 0 if no key with the name has been observed.
  @inlinable
  @inline(__always)
  func mark(of name: KeyName) -> UInt64 {
    marks.load(ordering: .relaxed) & name.markBit
  }

  /// The observed key that has been observed.
  @inline(__always)
  func observedKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    identicalKey(named: name) ?? (mayHaveKey(named: name) ? equalKey(named: name) : nil)
  }

  /// The observed key of a weak property whose object is watched.
  func watchedKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    isTracked.load(ordering: .relaxed) ? observedKey(named: name) : keyWithObservers(named: name)
  }

  /// The observed key that has observers now.
  @inline(__always)
  func keyWithObservers(named name: KeyName) -> Unmanaged<ObservedKey>? {
    guard let observedKey = observedKey(named: name),
      observedKey._withUnsafeGuaranteedRef({ $0.isObserved.load(ordering: .relaxed) })
    else { return nil }
    return observedKey
  }

  /// The observed key, if it is found by where its name lies in memory.
  @inline(__always)
  func identicalKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    let word = currentWord
    if let table = word.table {
      return table._withUnsafeGuaranteedRef { $0.identicalKey(named: name) }
    }
    return first(from: word.newest) { $0.isIdentical(to: name) }
  }

  // Out of line: it would take registers from those who have found the observed key
  // (row: set, 1 observer).
  /// The observed key, found by the text of its name.
  @inline(never)
  func equalKey(named name: KeyName) -> Unmanaged<ObservedKey>? {
    let word = currentWord
    if let table = word.table {
      return table._withUnsafeGuaranteedRef { $0.equalKey(named: name) }
    }
    return first(from: word.newest) { $0 == name }
  }

  @inline(__always)
  private func first(
    from newest: Unmanaged<ObservedKey>?, where matches: (KeyName) -> Bool
  ) -> Unmanaged<ObservedKey>? {
    var candidate = newest
    while let observedKey = candidate {
      if observedKey._withUnsafeGuaranteedRef({ matches($0.name) }) { return observedKey }
      candidate = observedKey._withUnsafeGuaranteedRef { $0.previous }
    }
    return nil
  }

  /// Calls `body` with each observed key, the newest first.
  func forEachKey(_ body: (ObservedKey) -> Void) {
    var candidate = currentWord.newest
    while let observedKey = candidate?.takeUnretainedValue() {
      body(observedKey)
      candidate = observedKey.previous
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
    let former = currentWord
    let made: Unmanaged<ObservedKey>
    if let newest = former.newest {
      made = .passRetained(
        FurtherObservedKey(of: self, named: name, isManual: isManual, former: newest))
    } else {
      // The first is the context itself, which does not retain itself.
      become(name, isManual: isManual)
      made = .passUnretained(self)
    }
    marks.store(
      marks.load(ordering: .relaxed) | name.marksOfEqualNames, ordering: .relaxed)
    let newest = ObservationContextWord(made).bits
    if let extras = former.extras {
      extras._withUnsafeGuaranteedRef { $0.newest.store(newest, ordering: .releasing) }
    } else {
      word.store(newest, ordering: .releasing)
    }
    made._withUnsafeGuaranteedRef {
      insertIntoTableLocked($0)
      MutationBlock.adoptLocked($0)
    }
    return made.takeUnretainedValue()
  }

  /// So many observed keys are found by a table, which for fewer takes longer than a list.
  static var tableLimit: Int { 8 }

  /// How many observed keys are in the table; nil while there is none.
  var tableCount: Int? { currentWord.table?._withUnsafeGuaranteedRef { $0.count } }

  /// Adds the newest observed key to the table, if there are many.
  ///
  /// A table that is full is replaced, and kept by the one that replaces it, because other threads
  /// may be reading it.
  private func insertIntoTableLocked(_ observedKey: ObservedKey) {
    let table = currentWord.table
    if let table, table._withUnsafeGuaranteedRef({ $0.insert(observedKey) }) { return }
    var count = 0
    forEachKey { _ in count += 1 }
    if count < ObservationContext.tableLimit { return }
    let made = ObservedKeyTable(capacity: count * 2, former: table?.takeRetainedValue())
    forEachKey { _ = made.insert($0) }
    madeExtrasLocked().replaceTable(made)
  }

  /// Releases the further observed keys with the context.
  func releaseKeys() {
    // A loop, because releasing a chain of observed keys would recurse as deep as it is long.
    var candidate = currentWord.newest
    // The oldest, which has no previous one, is the context itself.
    while let observedKey = candidate,
      let previous = observedKey._withUnsafeGuaranteedRef({ $0.previous })
    {
      candidate = previous
      observedKey.release()
    }
    currentWord.extras?.release()
  }
}
