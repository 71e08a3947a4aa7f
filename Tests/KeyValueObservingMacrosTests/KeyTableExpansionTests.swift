import Testing

@testable import KeyValueObservingMacros

@Suite struct KeyTableExpansionTests {
  @Test("The properties of a class", arguments: propertyRows)
  func properties(row: Row) {
    row.check(KeyValueObservableMacro.self)
  }
}

private let propertyRows = [
  Row(
    "Each kind of property is listed as what it is",
    #"""
    @KeyValueObservable
    final class Article {
      let id: Int
      var title = ""
      weak var editor: Person?
      unowned var owner: Person
      var slug: String { title }
      var both: Int {
        get { 1 }
        set {}
      }
    }
    """#,
    becomes: #"""
      final class Article {
        let id: Int
        @_$KeyValueStored
        var title = ""
        @_$KeyValueStored
        weak var editor: Person?
        @_$KeyValueStored
        unowned var owner: Person
        var slug: String { title }
        var both: Int {
          get { 1 }
          set {}
        }

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            properties.append(.constant("id", \_$Subject.id, chained: \_$Subject?.?.id) { $0.id })
            properties.append(.stored("title", \_$Subject.title, chained: \_$Subject?.?.title) { $0.title })
            properties.append(.weak("editor", \_$Subject.editor, chained: \_$Subject?.?.editor) { $0.editor })
            properties.append(.stored("owner", \_$Subject.owner, chained: \_$Subject?.?.owner) { $0.owner })
            properties.append(.computed("slug", \_$Subject.slug, chained: \_$Subject?.?.slug, isReadOnly: true) { $0.slug })
            properties.append(.computed("both", \_$Subject.both, chained: \_$Subject?.?.both) { $0.both })
            return properties
          }
          return _$properties(of: Self.self)
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A private property is listed as private and a private setter as read-only",
    #"""
    @KeyValueObservable
    final class Article {
      private let id = 1
      fileprivate var secret = ""
      private(set) var revision = 0
      public fileprivate(set) var draft: Int {
        get { 1 }
        set {}
      }
      private var hash: Int { 1 }
    }
    """#,
    becomes: #"""
      final class Article {
        private let id = 1
        @_$KeyValueStored
        fileprivate var secret = ""
        @_$KeyValueStored
        private(set) var revision = 0
        public fileprivate(set) var draft: Int {
          get { 1 }
          set {}
        }
        private var hash: Int { 1 }

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            properties.append(.constant("id", \_$Subject.id, chained: \_$Subject?.?.id, isPrivate: true) { $0.id })
            properties.append(.stored("secret", \_$Subject.secret, chained: \_$Subject?.?.secret, isPrivate: true) { $0.secret })
            properties.append(.stored("revision", \_$Subject.revision, chained: \_$Subject?.?.revision, isReadOnly: true) { $0.revision })
            properties.append(.computed("draft", \_$Subject.draft, chained: \_$Subject?.?.draft, isReadOnly: true) { $0.draft })
            properties.append(.computed("hash", \_$Subject.hash, chained: \_$Subject?.?.hash, isReadOnly: true, isPrivate: true) { $0.hash })
            return properties
          }
          return _$properties(of: Self.self)
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "Dependencies are passed on as they are written",
    #"""
    @KeyValueObservable
    final class Article {
      @KeyValueDependent(on: "title", "author.name")
      var byline: String { "" }
      @KeyValueDependent(on: "title") var cache = ""
    }
    """#,
    becomes: #"""
      final class Article {
        @KeyValueDependent(on: "title", "author.name")
        var byline: String { "" }
        @KeyValueDependent(on: "title")
        @_$KeyValueStored var cache = ""

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            properties.append(.computed("byline", \_$Subject.byline, chained: \_$Subject?.?.byline, isReadOnly: true, dependsOn: ["title", "author.name"]) { $0.byline })
            properties.append(.stored("cache", \_$Subject.cache, chained: \_$Subject?.?.cache, dependsOn: ["title"]) { $0.cache })
            return properties
          }
          return _$properties(of: Self.self)
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "What is ignored, belongs to the type, or has no key path is not listed",
    #"""
    @KeyValueObservable
    final class Article {
      @KeyValueIgnored var cache = 1
      @KeyValueIgnored lazy var words = 1
      static let shared = Article()
      static var count: Int { 1 }
      var remote: Int {
        get async throws { 1 }
      }
      @available(macOS 99, *) var future: Int { 1 }
      @MainActor var view: Int { 1 }
    }
    """#,
    becomes: #"""
      final class Article {
        @KeyValueIgnored var cache = 1
        @KeyValueIgnored lazy var words = 1
        static let shared = Article()
        static var count: Int { 1 }
        var remote: Int {
          get async throws { 1 }
        }
        @available(macOS 99, *) var future: Int { 1 }
        @MainActor var view: Int { 1 }

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A deprecated property is listed like any other",
    #"""
    @KeyValueObservable
    final class Article {
      @available(*, deprecated, message: "no") var old: Int { 1 }
    }
    """#,
    becomes: #"""
      final class Article {
        @available(*, deprecated, message: "no") var old: Int { 1 }

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            properties.append(.computed("old", \_$Subject.old, chained: \_$Subject?.?.old, isReadOnly: true) { $0.old })
            return properties
          }
          return _$properties(of: Self.self)
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A name in backticks keeps them in code and loses them in its key",
    #"""
    @KeyValueObservable
    final class Article {
      var `default` = 1
    }
    """#,
    becomes: #"""
      final class Article {
        @_$KeyValueStored
        var `default` = 1

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            properties.append(.stored("default", \_$Subject.`default`, chained: \_$Subject?.?.`default`) { $0.`default` })
            return properties
          }
          return _$properties(of: Self.self)
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A property in a condition is listed in that condition",
    #"""
    @KeyValueObservable
    final class Article {
      #if os(Linux)
      let kernel = 1
      #elseif DEBUG && !os(Windows)
      #else
      let other = 1
      #endif
      #if DEBUG
      func describe() {}
      #endif
    }
    """#,
    becomes: #"""
      final class Article {
        #if os(Linux)
        let kernel = 1
        #elseif DEBUG && !os(Windows)
        #else
        let other = 1
        #endif
        #if DEBUG
        func describe() {}
        #endif

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            #if os(Linux)
            properties.append(.constant("kernel", \_$Subject.kernel, chained: \_$Subject?.?.kernel) { $0.kernel })
            #elseif DEBUG && !os(Windows)
            #else
            properties.append(.constant("other", \_$Subject.other, chained: \_$Subject?.?.other) { $0.other })
            #endif
            return properties
          }
          return _$properties(of: Self.self)
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "An attribute of the compiler does not keep a variable from being observed",
    #"""
    @KeyValueObservable
    final class Article {
      @available(*, deprecated) @_spi(Tests) public var title = ""
    }
    """#,
    becomes: #"""
      final class Article {
        @available(*, deprecated) @_spi(Tests)
        @_$KeyValueStored public var title = ""

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            properties.append(.stored("title", \_$Subject.title, chained: \_$Subject?.?.title) { $0.title })
            return properties
          }
          return _$properties(of: Self.self)
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
]
