import Testing

@testable import KeyValueObservingMacros

@Suite struct ObservationExpansionTests {
  @Test("A class that is Observable", arguments: observableClassRows)
  func classes(row: Row) {
    row.check(KeyValueObservableMacro.self)
  }

  @Test("A variable of a class that is Observable", arguments: observationRows)
  func observation(row: Row) {
    row.check(KeyValueStoredMacro.self)
  }
}

private let observableClassRows = [
  Row(
    "A class that is Observable has the registrar of Observation too",
    #"""
    @KeyValueObservable
    final class Article: Observable {
    }
    """#,
    becomes: #"""
      final class Article: Observable {

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty._$addTracker(of: Article.self, to: &properties) { $0._$observation($1, of: $0, at: $2) }
          return properties
        }

        private let _$observationRegistrar = Observation.ObservationRegistrar()

        func _$observation<_$Subject: Article, _$Value>(
          _ event: KeyValueObserving._$ObservationEvent, of subject: _$Subject,
          at keyPath: @autoclosure () -> Swift.KeyPath<_$Subject, _$Value>,
          target: @autoclosure () -> Swift.AnyObject? = nil
        ) {
          let keyPath = keyPath()
          switch event {
          case .access:
            _$observationRegistrar.access(subject, keyPath: keyPath)
            if let target = target() {
              subject._$track(target: target, at: keyPath)
            }
          case .willSet:
            _$observationRegistrar.willSet(subject, keyPath: keyPath)
          case .didSet:
            _$observationRegistrar.didSet(subject, keyPath: keyPath)
          }
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "Observable may be qualified with its module",
    #"""
    @KeyValueObservable
    final class Article: NSObject, Observation.Observable {
    }
    """#,
    becomes: #"""
      final class Article: NSObject, Observation.Observable {

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty._$addTracker(of: Article.self, to: &properties) { $0._$observation($1, of: $0, at: $2) }
          return properties
        }

        private let _$observationRegistrar = Observation.ObservationRegistrar()

        func _$observation<_$Subject: Article, _$Value>(
          _ event: KeyValueObserving._$ObservationEvent, of subject: _$Subject,
          at keyPath: @autoclosure () -> Swift.KeyPath<_$Subject, _$Value>,
          target: @autoclosure () -> Swift.AnyObject? = nil
        ) {
          let keyPath = keyPath()
          switch event {
          case .access:
            _$observationRegistrar.access(subject, keyPath: keyPath)
            if let target = target() {
              subject._$track(target: target, at: keyPath)
            }
          case .willSet:
            _$observationRegistrar.willSet(subject, keyPath: keyPath)
          case .didSet:
            _$observationRegistrar.didSet(subject, keyPath: keyPath)
          }
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
]

private let observationRows = [
  Row(
    "Observation is notified of every access as well",
    #"""
    final class Article: Base, Observation.Observable {
      @_$KeyValueStored var tags: [String] = []
    }
    """#,
    becomes: #"""
      final class Article: Base, Observation.Observable {
        var tags: [String] {
          @storageRestrictions(initializes: _$tags)
          init(initialValue) {
            _$tags = initialValue
          }
          get {
            _$observationRegistrar.access(self, keyPath: \.tags)
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("tags", of: self)
            }
            return _$tags
          }
          @inline(__always)
          set {
            _$observationRegistrar.willSet(self, keyPath: \.tags)
            defer {
              _$observationRegistrar.didSet(self, keyPath: \.tags)
            }
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
            _$observationRegistrar.willSet(self, keyPath: \.tags)
            defer {
              _$observationRegistrar.didSet(self, keyPath: \.tags)
            }
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
    "The object in a weak variable is passed on with its read",
    #"""
    class Article: Observable {
      @_$KeyValueStored final weak var editor: Person?
    }
    """#,
    becomes: #"""
      class Article: Observable {
        final weak var editor: Person? {
          @storageRestrictions(initializes: _$editor)
          init(initialValue) {
            _$editor = initialValue
          }
          get {
            _$observation(.access, of: self, at: \.editor, target: _$editor as AnyObject?)
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("editor", of: self, target: _$editor as AnyObject?)
            }
            return _$editor
          }
          @inline(__always)
          set {
            _$observationRegistrar.willSet(self, keyPath: \.editor)
            defer {
              _$observationRegistrar.didSet(self, keyPath: \.editor)
            }
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

        private final weak var _$editor: Person?
      }
      """#
  ),
  Row(
    "A subclass calls a function, which is the library's where no superclass is Observable",
    #"""
    final class Story: Article {
      @_$KeyValueStored var length: Int = 0
    }
    """#,
    becomes: #"""
      final class Story: Article {
        var length: Int {
          @storageRestrictions(initializes: _$length)
          init(initialValue) {
            _$length = initialValue
          }
          get {
            _$observation(.access, of: self, at: \.length)
            if KeyValueObserving.KeyValueRegistrar.isTracking {
              keyValueRegistrar.access("length", of: self)
            }
            return _$length
          }
          @inline(__always)
          set {
            _$observation(.willSet, of: self, at: \.length)
            defer {
              _$observation(.didSet, of: self, at: \.length)
            }
            if keyValueRegistrar.isObserved {
              keyValueRegistrar._$set(
                "length", in: self, to: newValue,
                read: { (unsafe Swift.unsafeDowncast($0, to: Story.self))._$length },
                exchange: {
                  let former = (unsafe Swift.unsafeDowncast($0, to: Story.self))._$length
                  (unsafe Swift.unsafeDowncast($0, to: Story.self))._$length = $1
                  return former
                }
              )
            } else {
              _$length = newValue
            }
          }
        }

        private var _$length: Int = 0
      }
      """#
  ),
]
