import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// Keeps a key path literal in the cache.
private final class CachedLiteral: CachedKeyPath {
  let keyPath: Unmanaged<AnyKeyPath>

  init(_ keyPath: AnyKeyPath) { self.keyPath = .passRetained(keyPath) }

  deinit { keyPath.release() }
}

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

    @Test("P38: each of hundreds of key path literals is found again by its identity")
    func manyLiterals() {
      let cache = KeyPathCache<CachedLiteral>()
      let keyPaths = (0..<600).map(Self.keyPath)
      for keyPath in keyPaths { cache.insert(CachedLiteral(keyPath)) }
      for keyPath in keyPaths {
        #expect(cache.find(keyPath)?.takeUnretainedValue().keyPath.toOpaque() == identity(keyPath))
      }
      #expect(cache.find(Self.keyPath(600)) == nil)
      withExtendedLifetime(keyPaths) {}
    }

    @Test("P38: key paths that generic code forms anew each time fill a limited room")
    func limitedRoom() {
      let cache = KeyPathCache<CachedLiteral>()
      let keyPaths = (0..<5000).map(Self.keyPath)
      for keyPath in keyPaths { cache.insert(CachedLiteral(keyPath)) }
      let found = keyPaths.count { cache.find($0) != nil }
      #expect(found == KeyPathCache<CachedLiteral>.countLimit)
      #expect(cache.find(keyPaths[0]) != nil)
      withExtendedLifetime(keyPaths) {}
    }

    @Test("P16: key paths that generic code looks up leave room for those of observers")
    func reservedRoom() {
      let keyPaths = (0..<5000).map { _ in makeKeyPath(Tally.self) }
      for keyPath in keyPaths {
        #expect(PropertyTable.property(at: keyPath, of: Tally.self)?.key == "count")
      }
      #expect(PropertyTable.propertyTakingClosures(at: \Tally.count, of: Tally.self) != nil)
      withExtendedLifetime(keyPaths) {}
    }

    @Test("P38: threads that register through the same literals at once find one fact for each")
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
      let cache = KeyPathCache<CachedLiteral>()
      let keyPaths = (0..<300).map(KeyPathCacheTests.keyPath)

      func register(through keyPath: AnyKeyPath) {
        if cache.find(keyPath) == nil { cache.insert(CachedLiteral(keyPath)) }
        #expect(cache.find(keyPath) != nil)
      }
    }

    private func identity(_ keyPath: AnyKeyPath) -> UnsafeMutableRawPointer {
      Unmanaged.passUnretained(keyPath).toOpaque()
    }
  }
}
