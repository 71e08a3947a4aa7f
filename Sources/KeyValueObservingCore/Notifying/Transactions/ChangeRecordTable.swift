/// The records of a transaction, found by object and key.
///
/// It is a table of lists, which run through the records themselves and retain none: `ChangeRecords` keeps them.
/// The newest record of a property is in front of the ones in transactions around its own, which are found when it
/// is removed.
struct ChangeRecordTable: ~Copyable {
  private var lists = UnsafeMutableBufferPointer<Unmanaged<ChangeRecord>?>(start: nil, count: 0)
  private var count = 0

  deinit { lists.deallocate() }

  /// The newest record of a property.
  ///
  /// - Complexity: O(1) on average.
  func find(_ name: KeyName, of object: AnyObject) -> Unmanaged<ChangeRecord>? {
    count == 0 ? nil : search(name, of: object)
  }

  private func search(_ name: KeyName, of object: AnyObject) -> Unmanaged<ChangeRecord>? {
    let hash = Self.hash(name, of: object)
    var candidate = lists[position(of: hash)]
    while let record = candidate {
      let isFound = record._withUnsafeGuaranteedRef {
        $0.hash == hash && $0.subject === object && $0.name == name
      }
      if isFound { return record }
      candidate = record._withUnsafeGuaranteedRef { $0.next }
    }
    return nil
  }

  mutating func insert(_ record: ChangeRecord) {
    if count == lists.count { grow() }
    count += 1
    record.hash = Self.hash(record.name, of: record.subject)
    link(.passUnretained(record))
  }

  /// Removes a record that is in the table.
  mutating func remove(_ record: ChangeRecord) {
    count -= 1
    let position = position(of: record.hash)
    var previous: Unmanaged<ChangeRecord>?
    var candidate = lists[position]
    while let other = candidate, other.toOpaque() != Unmanaged.passUnretained(record).toOpaque() {
      previous = other
      candidate = other._withUnsafeGuaranteedRef { $0.next }
    }
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.next = record.next }
    } else {
      lists[position] = record.next
    }
  }

  /// Removes all records, which are passed to it.
  ///
  /// - Complexity: O(*n*) in the number of records, however large the table has been.
  mutating func removeAll(_ records: borrowing RetainedArray<ChangeRecord>) {
    for index in 0..<records.count {
      let hash = records[index]._withUnsafeGuaranteedRef { $0.hash }
      lists[position(of: hash)] = nil
    }
    count = 0
  }

  private mutating func link(_ record: Unmanaged<ChangeRecord>) {
    record._withUnsafeGuaranteedRef { record in
      let position = position(of: record.hash)
      record.next = lists[position]
      lists[position] = .passUnretained(record)
    }
  }

  @inline(never)
  private mutating func grow() {
    let former = lists
    lists = .allocate(capacity: max(16, former.count * 2))
    lists.initialize(repeating: nil)
    for list in former {
      // The last first, so that the newest of a property comes to the front again.
      var candidate = Self.reversed(list)
      while let record = candidate {
        candidate = record._withUnsafeGuaranteedRef { $0.next }
        link(record)
      }
    }
    former.deallocate()
  }

  private static func reversed(_ list: Unmanaged<ChangeRecord>?) -> Unmanaged<ChangeRecord>? {
    var (candidate, reversed) = (list, Unmanaged<ChangeRecord>?.none)
    while let record = candidate {
      candidate = record._withUnsafeGuaranteedRef { $0.next }
      record._withUnsafeGuaranteedRef { $0.next = reversed }
      reversed = record
    }
    return reversed
  }

  private func position(of hash: UInt32) -> Int {
    // The upper half of a product depends on all of the hash. There are as many lists as a power of two.
    Int(truncatingIfNeeded: (UInt64(hash) &* 0x9e37_79b9_7f4a_7c15) &>> 32) & (lists.count - 1)
  }

  private static func hash(_ name: KeyName, of object: AnyObject) -> UInt32 {
    let hash = name.textHash ^ UInt(bitPattern: ObjectIdentifier(object)) &>> 4
    return UInt32(truncatingIfNeeded: hash ^ hash &>> 32)
  }
}
