import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private class Tally {
  var count = 0
}

/// The argument of a subscript.
private final class Rank: Hashable, Sendable {
  static func == (left: Rank, right: Rank) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Tally {
  fileprivate subscript(_: Rank) -> Int { count }
}

/// Forms another key path object each time.
@inline(never)
private func makeKeyPath<Subject: Tally>(_: Subject.Type) -> KeyPath<Subject, Int> {
  \Subject.count
}

extension AllTests {
  @Suite("Key paths that have been used")
  struct KnownKeyPathTests {
    /// Tables of entries for key paths.
    private typealias Table = AddressTable<KeyPathEntry>

    private static func keyPath(_ index: Int) -> AnyKeyPath {
      // Another object for each index, as each literal is.
      \[Int].[index] as KeyPath<[Int], Int>
    }

    @Test("P38: each of hundreds of key path literals is found again by its identity")
    func manyLiterals() {
      let table = Table(listCount: 64)
      let keyPaths = (0..<600).map(Self.keyPath)
      let entries = keyPaths.map { KeyPathEntry($0, KnownKeyPath()) }
      for entry in entries { #expect(table.insert(entry).takeUnretainedValue() === entry) }
      for (keyPath, entry) in zip(keyPaths, entries) {
        #expect(table.find(KeyPathEntry.address(of: keyPath))?.takeUnretainedValue() === entry)
        let other = KeyPathEntry(keyPath, KnownKeyPath())
        #expect(table.insert(other).takeUnretainedValue() === entry)
      }
      #expect(table.find(KeyPathEntry.address(of: Self.keyPath(600))) == nil)
    }

    @Test("P32: a table releases the key paths that it has")
    func releasing() {
      weak var entry: KeyPathEntry?
      do {
        let table = Table(listCount: 4)
        for index in 0..<20 {
          entry = table.insert(KeyPathEntry(Self.keyPath(index), KnownKeyPath()))
            .takeUnretainedValue()
        }
        #expect(entry != nil)
      }
      #expect(entry == nil)
    }

    @Test("P16: key paths that generic code forms anew are found also where there is no room")
    func limitedRoom() {
      let keyPaths = (0..<5000).map { _ in makeKeyPath(Tally.self) }
      for keyPath in keyPaths {
        #expect(PropertyTable.property(at: keyPath, of: Tally.self)?.key == "count")
        #expect(KnownKeyPath.of(keyPath, from: Tally.self).property != nil)
      }
      withExtendedLifetime(keyPaths) {}
    }

    @Test("P32: the argument of a subscript is released with the observation of its key path")
    func releasingArgument() {
      let tally = Tally()
      weak var argument: Rank?
      do {
        let rank = Rank()
        argument = rank
        tally.observe(\.[rank]) { _, _ in }.invalidate()
      }
      #expect(argument == nil)
    }

    @Test("P38: threads that register through the same literals at once find one entry for each")
    func racingThreads() async {
      let literals = Literals()
      let found = await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { literals.keyPaths.map { literals.entry(for: $0) } }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(found.allSatisfy { $0 == found[0] })
    }

    private final class Literals: @unchecked Sendable {  // the table is what is tested
      let table = Table(listCount: 64)
      let keyPaths = (0..<300).map(KnownKeyPathTests.keyPath)

      func entry(for keyPath: AnyKeyPath) -> ObjectIdentifier {
        let found =
          table.find(KeyPathEntry.address(of: keyPath))
          ?? table.insert(KeyPathEntry(keyPath, KnownKeyPath()))
        return ObjectIdentifier(found.takeUnretainedValue())
      }
    }
  }
}
