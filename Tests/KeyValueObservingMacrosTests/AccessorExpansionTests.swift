import Testing

@testable import KeyValueObservingMacros

@Suite struct AccessorExpansionTests {
  @Test("A variable of a final class", arguments: finalClassRows)
  func finalClass(row: Row) {
    row.check(KeyValueStoredMacro.self)
  }

  @Test("A variable of a class with subclasses", arguments: openEndedClassRows)
  func openEndedClass(row: Row) {
    row.check(KeyValueStoredMacro.self)
  }
}

private let finalClassRows = [
  Row(
    "A value that may be mutated in place gets all accessors",
    #"""
    final class Article {
      @_$KeyValueStored var tags: [String] = []
    }
    """#,
    becomes: #"""
      final class Article {
        var tags: [String] {
          @storageRestrictions(initializes: _$tags)
          init(initialValue) {
            _$tags = initialValue
          }
          get {
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("tags", of: self)
            }
            return _$tags
          }
          @inline(__always)
          set {
            if keyValueRegistrar.isObserved {
              keyValueRegistrar._$set(
                "tags", in: self, to: newValue,
                read: { (unsafe Swift.unsafeDowncast($0, to: Article.self))._$tags },
                exchange: { Swift.exchange(&(unsafe Swift.unsafeDowncast($0, to: Article.self))._$tags, with: $1) }
              )
            } else {
              _ = Swift.exchange(&_$tags, with: newValue)
            }
          }
          _modify {
            if keyValueRegistrar.isObserved {
              let read = { (object: AnyObject) in (unsafe Swift.unsafeDowncast(object, to: Article.self))._$tags }
              let modification = keyValueRegistrar._$willModify("tags", in: self, read: read)
              defer { keyValueRegistrar._$didModify(modification, in: self, read: read) }
              yield &_$tags
            } else {
              yield &_$tags
            }
          }
        }

        private var _$tags: [String] = []
      }
      """#
  ),
  Row(
    "A number is not mutated in place",
    #"""
    final class Article {
      @_$KeyValueStored var count: Int?
    }
    """#,
    becomes: #"""
      final class Article {
        var count: Int? {
          @storageRestrictions(initializes: _$count)
          init(initialValue) {
            _$count = initialValue
          }
          get {
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("count", of: self)
            }
            return _$count
          }
          @inline(__always)
          set {
            if keyValueRegistrar.isObserved {
              keyValueRegistrar._$set(
                "count", in: self, to: newValue,
                read: { (unsafe Swift.unsafeDowncast($0, to: Article.self))._$count },
                exchange: {
                  let former = (unsafe Swift.unsafeDowncast($0, to: Article.self))._$count
                  (unsafe Swift.unsafeDowncast($0, to: Article.self))._$count = $1
                  return former
                }
              )
            } else {
              _$count = newValue
            }
          }
        }

        private var _$count: Int?
      }
      """#
  ),
  Row(
    "What an unowned variable held is not read to set it",
    #"""
    final class Article {
      @_$KeyValueStored unowned var owner: Person
    }
    """#,
    becomes: #"""
      final class Article {
        unowned var owner: Person {
          @storageRestrictions(initializes: _$owner)
          init(initialValue) {
            _$owner = initialValue
          }
          get {
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("owner", of: self)
            }
            return _$owner
          }
          @inline(__always)
          set {
            if keyValueRegistrar.isObserved {
              keyValueRegistrar._$set(
                "owner", in: self, to: newValue,
                read: { (unsafe Swift.unsafeDowncast($0, to: Article.self))._$owner },
                write: { (unsafe Swift.unsafeDowncast($0, to: Article.self))._$owner = $1 }
              )
            } else {
              _$owner = newValue
            }
          }
        }

        private unowned var _$owner: Person
      }
      """#
  ),
  Row(
    "A weak variable passes its target to the registrar",
    #"""
    final class Article {
      @_$KeyValueStored weak var editor: Person?
    }
    """#,
    becomes: #"""
      final class Article {
        weak var editor: Person? {
          @storageRestrictions(initializes: _$editor)
          init(initialValue) {
            _$editor = initialValue
          }
          get {
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("editor", of: self, target: _$editor as AnyObject?)
            }
            return _$editor
          }
          @inline(__always)
          set {
            if keyValueRegistrar.isObserved {
              keyValueRegistrar.setWeak(
                "editor", of: self, to: newValue,
                read: { self._$editor },
                write: { self._$editor = $0 }
              )
            } else {
              _$editor = newValue
            }
          }
        }

        private weak var _$editor: Person?
      }
      """#
  ),
  Row(
    "Observers that willSet or didSet register know what is stored then",
    #"""
    final class Article {
      @_$KeyValueStored var tags: [String] = [] {
        didSet {}
      }
    }
    """#,
    becomes: #"""
      final class Article {
        var tags: [String] {
          didSet {}
            @storageRestrictions(initializes: _$tags)
            init(initialValue) {
              _$tags = initialValue
            }

            get {
              if KeyValueObserving.KeyValueRegistrar.isTracking {
                keyValueRegistrar.access("tags", of: self)
              }
              return _$tags
            }

            @inline(__always)
            set {
              if keyValueRegistrar.isObserved {
                keyValueRegistrar._$setReadingBack(
                  "tags", in: self, to: newValue,
                  read: { (unsafe Swift.unsafeDowncast($0, to: Article.self))._$tags },
                  exchange: { Swift.exchange(&(unsafe Swift.unsafeDowncast($0, to: Article.self))._$tags, with: $1) }
                )
              } else {
                _ = Swift.exchange(&_$tags, with: newValue)
                keyValueRegistrar._$observersMayHaveCome("tags")
              }
            }

            _modify {
              if keyValueRegistrar.isObserved {
                let read = { (object: AnyObject) in (unsafe Swift.unsafeDowncast(object, to: Article.self))._$tags }
                let modification = keyValueRegistrar._$willModify("tags", in: self, read: read)
                defer { keyValueRegistrar._$didModify(modification, in: self, observing: "tags", read: read) }
                yield &_$tags
              } else {
                defer {
                  keyValueRegistrar._$observersMayHaveCome("tags")
                }
                yield &_$tags
              }
            }
        }

        private var _$tags: [String] = [] {
            didSet {}
          }
      }
      """#
  ),
]

private let openEndedClassRows = [
  Row(
    "Observers get what an overriding getter returns",
    #"""
    class Article {
      @_$KeyValueStored var tags: [String] = []
    }
    """#,
    becomes: #"""
      class Article {
        var tags: [String] {
          @storageRestrictions(initializes: _$tags)
          init(initialValue) {
            _$tags = initialValue
          }
          get {
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("tags", of: self)
            }
            return _$tags
          }
          @inline(__always)
          set {
            if keyValueRegistrar.isObserved {
              keyValueRegistrar._$setReadingBack(
                "tags", in: self, to: newValue,
                read: { (unsafe Swift.unsafeDowncast($0, to: Article.self)).tags },
                exchange: { Swift.exchange(&(unsafe Swift.unsafeDowncast($0, to: Article.self))._$tags, with: $1) }
              )
            } else {
              _ = Swift.exchange(&_$tags, with: newValue)
            }
          }
          _modify {
            if keyValueRegistrar.isObserved {
              let read = { (object: AnyObject) in (unsafe Swift.unsafeDowncast(object, to: Article.self)).tags }
              let modification = keyValueRegistrar._$willModify("tags", in: self, read: read)
              defer { keyValueRegistrar._$didModify(modification, in: self, read: read) }
              yield &_$tags
            } else {
              yield &_$tags
            }
          }
        }

        private final var _$tags: [String] = []
      }
      """#
  )
]
