/// The former values that a transaction keeps: one of each property for each level in which it has changed.
struct ChangeRecords: ~Copyable {
  /// In the order of the first changes, level by level.
  private var records = RetainedArray<ChangeRecord>()
  /// The records that are no longer needed, which keep what was changed until the end (P54).
  private var former = RetainedArray<ChangeRecord>()
  private var table = ChangeRecordTable()

  var count: Int { records.count }
  var capacity: Int { records.capacity }

  var last: ChangeRecord? { records.last?.takeUnretainedValue() }

  /// The innermost record of a property.
  func record(of name: KeyName, in subject: AnyObject) -> Unmanaged<ChangeRecord>? {
    table.find(name, of: subject)
  }

  /// Adds the record of the first change of a property in a transaction.
  mutating func add(_ record: ChangeRecord, at depth: Int, step: Int) {
    record.depth = Int32(depth)
    record.step = step
    if let outer = table.find(record.name, of: record.subject) {
      outer._withUnsafeGuaranteedRef { add(record, inside: $0) }
    } else {
      records.append(record)
    }
    table.insert(record)
  }

  private mutating func add(_ record: ChangeRecord, inside outer: ChangeRecord) {
    if outer.depth == record.depth, let index = records.lastIndex(of: outer) {
      // It was added while the value was stored, by a set in `didSet`, so this one is older.
      record.outer = outer.outer
      record.step = outer.step
      former.append(retained: records.replace(at: index, by: record))
      table.remove(outer)
    } else {
      record.outer = .passUnretained(outer)
      records.append(record)
    }
  }

  /// Keeps a record that nothing is restored from, and its values, until the end.
  mutating func keep(_ record: ChangeRecord) { former.append(record) }

  /// Makes the records of a transaction that has ended a part of the one around it.
  ///
  /// - `first`: The index of the first of them.
  /// - `depth`: The depth of the one around it.
  /// - `keepsFormerValues`: Whether former values are recorded there. A transaction that keeps its changes at an error may
  ///   be in one that does not.
  mutating func merge(from first: Int, into depth: Int, keepsFormerValues: Bool) {
    var kept = first
    for index in first..<records.count {
      let record = records[index]
      let isKept = record._withUnsafeGuaranteedRef {
        keepsFormerValues && $0.outer?._withUnsafeGuaranteedRef { Int($0.depth) } != depth
      }
      if isKept {
        record._withUnsafeGuaranteedRef { $0.depth = Int32(depth) }
        records.move(from: index, to: kept)
        kept += 1
      } else {
        record._withUnsafeGuaranteedRef {
          $0.passOnStep()
          table.remove($0)
        }
        former.append(retained: record)
      }
    }
    records.shorten(to: kept)
  }

  /// Removes a record whose value the property has got back.
  ///
  /// The values of records live until the end (P54): what ends with them may change something.
  mutating func retire(_ record: ChangeRecord) {
    guard let index = records.lastIndex(of: record) else { return }
    table.remove(record)
    former.append(retained: records.take(at: index))
  }

  /// Releases all of them.
  mutating func removeAll() {
    table.removeAll(records)
    records.removeAll()
    former.removeAll()
  }
}
