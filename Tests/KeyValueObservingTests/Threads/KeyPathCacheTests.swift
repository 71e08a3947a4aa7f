import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

@KeyValueObservable
private class Tally {
  var count = 0
}

/// Forms another key path object each time.
@inline(never)
private func makeKeyPath<Subject: Tally>(_: Subject.Type) -> KeyPath<Subject, Int> {
  \Subject.count
}

extension AllTests {
  @Suite("Key paths that have been used")
  struct KeyPathCacheTests {
    private static func keyPath(_ index: Int) -> AnyKeyPath {
      // Another object for each index, as each literal is.
      \[Int].[index] as KeyPath<[Int], Int>
    }

    /// A property for each key path, to be found with it.
    private static func properties(_ count: Int) -> [ClassProperty] {
      let listed = PropertyTable.of(Tally.self).properties[0]
      return (0..<count).map { _ in
        ClassProperty(listed, of: Tally.self, nil, isManual: false, dependencies: nil)
      }
    }

    private static func known(_ property: ClassProperty) -> KnownKeyPath {
      KnownKeyPath(property: .passUnretained(property))
    }

    @Test("P38: each of hundreds of key path literals is found again by its identity")
    func manyLiterals() {
      let cache = KeyPathCache()
      let keyPaths = (0..<600).map(Self.keyPath)
      let properties = Self.properties(600)
      for (keyPath, property) in zip(keyPaths, properties) {
        cache.insert(Self.known(property), at: keyPath, upTo: 1000)
      }
      for (keyPath, property) in zip(keyPaths, properties) {
        #expect(cache.find(keyPath)?.property?.takeUnretainedValue() === property)
      }
      #expect(cache.find(Self.keyPath(600)) == nil)
    }

    @Test("P38: key paths that generic code forms anew each time fill a limited room")
    func limitedRoom() {
      let cache = KeyPathCache()
      let keyPaths = (0..<5000).map(Self.keyPath)
      for keyPath in keyPaths { cache.insert(KnownKeyPath(), at: keyPath, upTo: 1000) }
      #expect(keyPaths.count { cache.find($0) != nil } == 1000)
      #expect(cache.find(keyPaths[0]) != nil)
    }

    @Test("P16: key paths that generic code looks up are found also where there is no room")
    func reservedRoom() {
      let keyPaths = (0..<5000).map { _ in makeKeyPath(Tally.self) }
      for keyPath in keyPaths {
        #expect(PropertyTable.property(at: keyPath, of: Tally.self)?.key == "count")
      }
      #expect(KnownKeyPath.of(\Tally.count, from: Tally.self).property != nil)
      withExtendedLifetime(keyPaths) {}
    }

    @Test("P38: threads that register through the same literals at once find each")
    func racingThreads() async {
      let literals = Literals()
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { for keyPath in literals.keyPaths { literals.register(through: keyPath) } }
        }
      }
      #expect(literals.keyPaths.allSatisfy { literals.cache.find($0) != nil })
    }

    private final class Literals: @unchecked Sendable {  // the cache is what is tested
      let cache = KeyPathCache()
      let keyPaths = (0..<300).map(KeyPathCacheTests.keyPath)

      func register(through keyPath: AnyKeyPath) {
        if cache.find(keyPath) == nil { cache.insert(KnownKeyPath(), at: keyPath, upTo: 1000) }
        #expect(cache.find(keyPath) != nil)
      }
    }
  }
}
