/// The former values that a transaction keeps: one of each property for each level in which it has changed.
struct ChangeRecords {
  /// In the order of the first changes, level by level.
  private var records: [ChangeRecord] = []
  /// The records that are no longer needed, which keep what was changed until the end (P54).
  private var former: [ChangeRecord] = []
  private var table = ChangeRecordTable()

  var count: Int { records.count }
  var capacity: Int { records.capacity }

  var last: ChangeRecord? { records.last }

  /// The innermost record of a property.
  func record(of name: KeyName, in subject: AnyObject) -> Unmanaged<ChangeRecord>? {
    table.find(name, of: subject)
  }

  /// Adds the record of the first change of a property in a transaction.
  mutating func add(_ record: ChangeRecord, at depth: Int, step: Int) {
    let outer = table.find(record.name, of: record.subject)?.takeUnretainedValue()
    record.depth = depth
    if let outer, outer.depth == depth, let index = records.lastIndex(where: { $0 === outer }) {
      // It was added while the value was stored, by a set in `didSet`, so this one is older.
      record.outer = outer.outer
      record.step = outer.step
      records[index] = record
      former.append(outer)
      table.remove(outer)
    } else {
      record.outer = outer
      record.step = step
      records.append(record)
    }
    table.insert(record)
  }

  /// Keeps a record that nothing is restored from, and its values, until the end.
  mutating func keep(_ record: ChangeRecord) { former.append(record) }

  /// Makes the records of a transaction that has ended a part of the one around it.
  ///
  /// - `first`: The index of the first of them.
  /// - `depth`: The depth of the one around it.
  /// - `isRecording`: Whether values are recorded there. A transaction that keeps its changes at an error may
  ///   be in one that does not.
  mutating func merge(from first: Int, into depth: Int, isRecording: Bool) {
    // All that is left ends with the outermost one.
    if depth == 0 { return table.removeAll() }
    var kept = first
    for index in first..<records.count {
      let record = records[index]
      if isRecording, record.outer?.depth != depth {
        record.depth = depth
        records[kept] = record
        kept += 1
      } else {
        if record.outer?.step == ChangeRecord.stepOfUnchanged { record.outer?.step = record.step }
        table.remove(record)
        former.append(record)
      }
    }
    records.removeSubrange(kept...)
  }

  /// Removes a record whose value the property has got back.
  ///
  /// The values of records live until the end (P54): what ends with them may change something.
  mutating func retire(_ record: ChangeRecord) {
    guard let index = records.lastIndex(where: { $0 === record }) else { return }
    records.remove(at: index)
    table.remove(record)
    former.append(record)
  }

  /// Releases all of them.
  mutating func removeAll() {
    records.removeEach()
    if !former.isEmpty { former = [] }
  }
}
