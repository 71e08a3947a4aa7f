// Behaviors of Realm, from `Realm/Tests/KVOTests.mm` (canceled write transactions, batches of array
// changes), `RealmTests.mm` (roll-back) and `NotificationTests.m` (`withoutNotifying`).
//
// Not ours: writing needs a transaction, which is begun and ended by calls, and cannot be nested;
// here it is a closure, canceled by an error, and joins the one around it (P52). An object that is
// created in a canceled transaction becomes invalid; here it is an object like any other, which
// nothing refers to any more. An array that gets its elements back is edited there, and set here,
// except for observers of elements. A token of another Realm is refused; here all observations can
// be passed over (P57). Refreshing, files, schemas and other processes are no part of this library.

import KeyValueObserving
import Testing

@KeyValueObservable
private final class Record {
  var isMarked = false
  var object: Record?
  var list: [Int] = []
  var items: [Record] = []
  var numbers: Set<Int> = []
}

extension PeerBehavior {
  @Suite struct RealmTransactions {
    private let journal = Journal()
    private let record = Record()

    private func cancel(_ body: () -> Void) {
      try? withKeyValueTransaction {
        body()
        throw CancellationError()
      }
    }

    // MARK: Roll-back

    @Test("P50: objects that were added, removed, modified or linked are as they were")
    func rollBack() {
      let (first, second) = (Record(), Record())
      record.items = [first]
      record.object = first
      cancel {
        record.mutableArrayValue(for: \.items).append(second)
        record.items.removeFirst()
        record.object = second
        first.isMarked = true
        second.object = record
        record.mutableSetValue(for: \.numbers).insert(1)
      }
      #expect(record.items.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
      #expect(record.object === first)
      #expect(!first.isMarked)
      #expect(second.object == nil)
      #expect(record.numbers == [])
    }

    @Test("P50: observers receive nothing of a canceled transaction, and the next one as ever")
    func canceledTransactionNotifiesNothing() {
      journal.follow(record, \.isMarked)
      journal.follow(record, \.list)
      journal.follow(record, \.object?.isMarked, as: "path")
      cancel {
        record.isMarked = true
        record.list = [1]
        record.object = Record()
        record.object?.isMarked = true
      }
      #expect(journal.take() == [])
      withKeyValueTransaction { record.isMarked = true }
      #expect(journal.take() == ["isMarked false→true"])
    }

    @Test("P50: an object that only a canceled transaction referred to is released")
    func createdObjectIsReleased() {
      weak var former: Record?
      cancel {
        let created = Record()
        former = created
        created.isMarked = true
        record.object = created
      }
      #expect(former == nil)
    }

    // MARK: Observing what is canceled

    @Test("P53: an observer that is registered after a change receives that it is taken back")
    func observingChangedProperty() {
      cancel {
        record.isMarked = true
        journal.follow(record, \.isMarked)
      }
      #expect(journal.take() == ["isMarked true→false"])
    }

    @Test("P53: a link that is taken back is one change of it, and of a path through it")
    func observingLink() {
      cancel {
        record.object = Record()
        record.object?.isMarked = true
        record.observe(\.object, options: [.old, .new]) { record, change in
          journal.write("object \(change.oldValue! != nil)→\(change.newValue! != nil)")
        }.store(in: &journal.tokens)
        journal.follow(record, \.object?.isMarked, as: "path")
      }
      #expect(journal.take() == ["object true→false", "path true→nil path"])
    }

    @Test("P53: links that were removed from several places come back to each of them")
    func observingRemovedObject() {
      let linked = Record()
      record.object = linked
      record.items = [linked]
      cancel {
        record.object = nil
        record.mutableArrayValue(for: \.items).removeAll()
        journal.follow(record, \.items.count, as: "count")
        journal.follow(record, \.object?.isMarked, as: "path")
      }
      #expect(record.object === linked)
      #expect(journal.take().sorted() == ["count 0→1", "path nil→false path"])
    }

    @Test("P50, P53: edits of an array are taken back, for observers from before and from inside")
    func observingArray() {
      let edits: [(KeyValueMutableArray<Int>) -> Void] = [
        { $0.append(3) }, { $0.remove(at: 0) }, { $0[0] = 7 }, { $0.removeAll() },
        {
          $0.insert(5, at: 1)
          $0.insert(6, at: 0)
        },
        {
          $0.insert(7, at: 0)
          $0.remove(at: 2)
        },
      ]
      journal.follow(record, \.list, as: "before")
      for edit in edits {
        record.list = [1, 2]
        _ = journal.take()
        var edited: [Int] = []
        var inside: KeyValueObservation?
        cancel {
          edit(record.mutableArrayValue(for: \.list))
          edited = record.list
          inside = journal.follow(record, \.list, as: "inside")
        }
        #expect(record.list == [1, 2])
        #expect(journal.take() == ["inside \(edited)→[1, 2]"])
        inside?.invalidate()
      }
    }

    @Test("P37, P53: an observer of elements receives the difference that takes an edit back")
    func observingElements() {
      record.list = [1, 2]
      cancel {
        record.mutableArrayValue(for: \.list).append(3)
        record.mutableArrayValue(for: \.list).remove(at: 0)
        record.observeElements(of: \.list) { _, change in
          for change in change.difference {
            switch change {
            case .remove(let offset, let element, _): journal.write("-\(element) at \(offset)")
            case .insert(let offset, let element, _): journal.write("+\(element) at \(offset)")
            }
          }
        }.store(in: &journal.tokens)
      }
      #expect(journal.take() == ["-3 at 1", "+1 at 0"])
    }

    // MARK: Batches

    @Test("P49: edits of an array are one edit, with the indexes of all of them")
    func batches() {
      let batches: [(edits: (KeyValueMutableArray<Int>) -> Void, change: String)] = [
        ({ _ = ($0.insert(1, at: 1), $0.insert(0, at: 0)) }, "insertion [0, 2]"),
        ({ _ = ($0.remove(at: 3), $0.remove(at: 3)) }, "removal [3, 4]"),
        ({ _ = ($0.remove(at: 0), $0.removeAll()) }, "removal [0, 1, 2, 3, 4]"),
        ({ _ = ($0.append(15), $0.removeAll()) }, "removal [0, 1, 2, 3, 4]"),
        ({ _ = ($0[0] = 9, $0.removeAll()) }, "removal [0, 1, 2, 3, 4]"),
        ({ _ = ($0[0] = 9, $0[4] = 8) }, "replacement [0, 4]"),
      ]
      journal.follow(record, \.list, [])
      for (edits, change) in batches {
        record.list = [10, 11, 12, 13, 14]
        _ = journal.take()
        withKeyValueTransaction { edits(record.mutableArrayValue(for: \.list)) }
        #expect(journal.take() == ["list → \(change)"])
      }
    }

    // MARK: Without notifying

    @Test("P57: an observation that is named is not notified, and others are")
    func withoutNotifying() {
      let silent = journal.follow(record, \.list, as: "silent")
      journal.follow(record, \.list)
      let value = withKeyValueTransaction(withoutNotifying: [silent]) {
        record.list = [1]
        return record.list.count
      }
      #expect(value == 1)
      #expect(journal.take() == ["list []→[1]"])
      record.list = [2]
      #expect(journal.take() == ["silent [1]→[2]", "list [1]→[2]"])
    }

    @Test("P57: an observer of elements that is passed over receives later differences only")
    func withoutNotifyingOfElements() {
      record.list = [1]
      let token = record.observeElements(of: \.list) { _, change in
        journal.write("\(change.difference.insertions.count) \(change.difference.removals.count)")
      }
      let list = record.mutableArrayValue(for: \.list)
      withKeyValueTransaction(withoutNotifying: [token]) { list.append(2) }
      #expect(journal.take() == [])
      list.removeAll()
      #expect(journal.take() == ["0 2"])
      token.invalidate()
    }

    @Test("P57: an observation of another object may be named, and one that has ended")
    func withoutNotifyingOthers() {
      let other = Record()
      let token = journal.follow(other, \.isMarked, as: "other")
      let ended = journal.follow(record, \.isMarked, as: "ended")
      ended.invalidate()
      journal.follow(record, \.isMarked)
      withKeyValueTransaction(withoutNotifying: [token, ended]) { record.isMarked = true }
      other.isMarked = true
      #expect(journal.take() == ["isMarked false→true", "other false→true"])
    }

    @Test("P53, P57: `initial` is received in a transaction that passes the observation over")
    func initialWithoutNotifying() {
      journal.follow(record, \.list, as: "first", [.initial, .new])
      let token = journal.follow(record, \.list, as: "second", [.initial, .new])
      #expect(journal.take() == ["first →[]", "second →[]"])
      withKeyValueTransaction(withoutNotifying: [token]) {
        record.list = [1]
        journal.follow(record, \.list, as: "third", [.initial, .new])
        #expect(journal.take() == ["third →[1]"])
      }
      #expect(journal.take() == ["first →[1]"])
    }

    @Test("P50, P57: a canceled transaction leaves an observation that it named as it was")
    func canceledWithoutNotifying() {
      let token = journal.follow(record, \.isMarked)
      #expect(throws: Refused.self) {
        try withKeyValueTransaction(withoutNotifying: [token]) {
          record.isMarked = true
          throw Refused()
        }
      }
      #expect(journal.take() == [])
      record.isMarked = true
      #expect(journal.take() == ["isMarked false→true"])
    }
  }
}
