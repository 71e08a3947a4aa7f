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
      weak let founder: Person?
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
        weak let founder: Person?
        @_$KeyValueStored
        unowned var owner: Person
        var slug: String { title }
        var both: Int {
          get { 1 }
          set {}
        }

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty.constant("id", \Article.id, chained: \Article?.?.id, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).id })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty._$addStored("title", \Article.title, chained: \Article?.?.title, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).title }, to: &properties)
          KeyValueObserving.KeyValueProperty.weak("editor", \Article.editor, chained: \Article?.?.editor, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).editor })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.weak("founder", \Article.founder, chained: \Article?.?.founder, isReadOnly: true, accessor: .init { { let target = $0.founder; $0.keyValueRegistrar.access("founder", of: $0, target: target as AnyObject?); return target }((unsafe Swift.unsafeDowncast($0, to: Article.self))) })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty._$addStored("owner", \Article.owner, chained: \Article?.?.owner, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).owner }, to: &properties)
          KeyValueObserving.KeyValueProperty.computed("slug", \Article.slug, chained: \Article?.?.slug, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).slug })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.computed("both", \Article.both, chained: \Article?.?.both, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).both })._$append(to: &properties)
          return properties
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
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty.constant("id", \Article.id, chained: \Article?.?.id, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).id })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.stored("secret", \Article.secret, chained: \Article?.?.secret, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).secret })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.stored("revision", \Article.revision, chained: \Article?.?.revision, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).revision })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.computed("draft", \Article.draft, chained: \Article?.?.draft, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).draft })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.computed("hash", \Article.hash, chained: \Article?.?.hash, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).hash })._$append(to: &properties)
          return properties
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
      @KeyValueDependent(on: "log.text") let log = Log()
      @KeyValueDependent(on: "title") var cache = ""
    }
    """#,
    becomes: #"""
      final class Article {
        @KeyValueDependent(on: "title", "author.name")
        var byline: String { "" }
        @KeyValueDependent(on: "log.text") let log = Log()
        @KeyValueDependent(on: "title")
        @_$KeyValueStored var cache = ""

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty.computed("byline", \Article.byline, chained: \Article?.?.byline, isReadOnly: true, dependsOn: ["title", "author.name"], accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).byline })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.constant("log", \Article.log, chained: \Article?.?.log, dependsOn: ["log.text"], accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).log })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.stored("cache", \Article.cache, chained: \Article?.?.cache, dependsOn: ["title"], accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).cache })._$append(to: &properties)
          return properties
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
      var copy: Self { self }
      var next: Self? { nil }
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
        var copy: Self { self }
        var next: Self? { nil }

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
    "A deprecated property is listed without a warning",
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
          var properties: [KeyValueObserving.KeyValueProperty] = []
          _$Deprecated._$append(to: &properties)
          return properties
        }

        private enum _$Deprecated: KeyValueObserving._$DeprecatedProperties {
          @available(*, deprecated)
          static func list() -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            KeyValueObserving.KeyValueProperty.computed("old", \Article.old, chained: \Article?.?.old, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).old })._$append(to: &properties)
            return properties
          }
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
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty._$addStored("default", \Article.`default`, chained: \Article?.?.`default`, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).`default` }, to: &properties)
          return properties
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
          var properties: [KeyValueObserving.KeyValueProperty] = []
          #if os(Linux)
          KeyValueObserving.KeyValueProperty.constant("kernel", \Article.kernel, chained: \Article?.?.kernel, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).kernel })._$append(to: &properties)
          #elseif DEBUG && !os(Windows)
          #else
          KeyValueObserving.KeyValueProperty.constant("other", \Article.other, chained: \Article?.?.other, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).other })._$append(to: &properties)
          #endif
          return properties
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
          var properties: [KeyValueObserving.KeyValueProperty] = []
          _$Deprecated._$append(to: &properties)
          return properties
        }

        private enum _$Deprecated: KeyValueObserving._$DeprecatedProperties {
          @available(*, deprecated)
          static func list() -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            KeyValueObserving.KeyValueProperty._$addStored("title", \Article.title, chained: \Article?.?.title, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).title }, to: &properties)
            return properties
          }
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "Deprecated properties are listed for subclasses and actors, inside their conditions",
    #"""
    @KeyValueObservable
    @MainActor class Article {
      var title: Int { 1 }
      #if DEBUG
      @available(iOS, deprecated: 17) var old: Int { 1 }
      #endif
    }
    """#,
    becomes: #"""
      @MainActor class Article {
        var title: Int { 1 }
        #if DEBUG
        @available(iOS, deprecated: 17) var old: Int { 1 }
        #endif

        nonisolated final let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            KeyValueObserving.KeyValueProperty.computed("title", \_$Subject.title, chained: \_$Subject?.?.title, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).title })._$append(to: &properties)
            _$Deprecated<_$Subject>._$append(to: &properties)
            return properties
          }
          return _$properties(of: Self.self)
        }

        private enum _$Deprecated<_$Subject: Article>: @MainActor KeyValueObserving._$DeprecatedProperties {
          @available(*, deprecated)
          @MainActor static func list() -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            #if DEBUG
            KeyValueObserving.KeyValueProperty.computed("old", \_$Subject.old, chained: \_$Subject?.?.old, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).old })._$append(to: &properties)
            #endif
            return properties
          }
        }

        class func automaticallyNotifiesObservers(forKey key: Swift.String) -> Swift.Bool {
          _$automaticallyNotifiesObservers(key)
        }

        class func _$automaticallyNotifiesObservers(_ key: Swift.String) -> Swift.Bool {
          true
        }

        class func keyPathsForValuesAffectingValue(forKey key: Swift.String) -> Swift.Set<Swift.String> {
          _$keyPathsForValuesAffecting(key)
        }

        class func _$keyPathsForValuesAffecting(_ key: Swift.String) -> Swift.Set<Swift.String> {
          []
        }
      }

      extension Article: @MainActor KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
]
