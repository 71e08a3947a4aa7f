import Testing

@testable import KeyValueObservingMacros

@Suite struct ClassExpansionTests {
  @Test("A class at the root of a hierarchy", arguments: rootRows)
  func roots(row: Row) {
    row.check(KeyValueObservableMacro.self)
  }
}

private let rootRows = [
  Row(
    "A final class gets a registrar, a static key table and the conformance",
    #"""
    @KeyValueObservable
    final class Article {
      let id: Int
      var title = ""
    }
    """#,
    becomes: #"""
      final class Article {
        let id: Int
        @_$KeyValueStored
        var title = ""

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty.constant("id", \Article.id, chained: \Article?.?.id, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).id })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty._$addStored("title", \Article.title, chained: \Article?.?.title, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).title }, to: &properties)
          return properties
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A registrar that is declared manually is not in the key table",
    #"""
    @KeyValueObservable
    final class Article {
      let keyValueRegistrar = KeyValueRegistrar()
      let id: Int
    }
    """#,
    becomes: #"""
      final class Article {
        let keyValueRegistrar = KeyValueRegistrar()
        let id: Int

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty.constant("id", \Article.id, chained: \Article?.?.id, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).id })._$append(to: &properties)
          return properties
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A class with subclasses gets class members they can override",
    #"""
    @KeyValueObservable
    class Article {
      var title = ""
    }
    """#,
    becomes: #"""
      class Article {
        @_$KeyValueStored
        var title = ""

        nonisolated final let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Article>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            KeyValueObserving.KeyValueProperty._$addStored("title", \_$Subject.title, chained: \_$Subject?.?.title, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Article.self)).title }, to: &properties)
            return properties
          }
          return _$properties(of: Self.self)
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

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "The conformance of a class with noncopyable generic parameters does not require copies",
    #"""
    @KeyValueObservable
    final class Article<Text: ~Copyable & Sendable, Page, Note> where Note: ~Copyable & ~Escapable {
    }
    """#,
    becomes: #"""
      final class Article<Text: ~Copyable & Sendable, Page, Note> where Note: ~Copyable & ~Escapable {

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable where Text: ~Copyable, Note: ~Copyable, Note: ~Escapable {
      }
      """#
  ),
  Row(
    "An open class has open members and a registrar that is public",
    #"""
    @KeyValueObservable
    open class Article {
    }
    """#,
    becomes: #"""
      open class Article {

        public nonisolated final let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        open class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }

        open class func automaticallyNotifiesObservers(forKey key: Swift.String) -> Swift.Bool {
          _$automaticallyNotifiesObservers(key)
        }

        open class func _$automaticallyNotifiesObservers(_ key: Swift.String) -> Swift.Bool {
          true
        }

        open class func keyPathsForValuesAffectingValue(forKey key: Swift.String) -> Swift.Set<Swift.String> {
          _$keyPathsForValuesAffecting(key)
        }

        open class func _$keyPathsForValuesAffecting(_ key: Swift.String) -> Swift.Set<Swift.String> {
          []
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A package class has package members",
    #"""
    @KeyValueObservable
    package final class Article {
    }
    """#,
    becomes: #"""
      package final class Article {

        package nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        package static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A class in a public extension is public",
    #"""
    extension Library {
    }
    public extension Library {
      @KeyValueObservable
      final class Article {
      }
    }
    """#,
    becomes: #"""
      extension Library {
      }
      public extension Library {
        final class Article {

          public nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

          public static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
            []
          }
        }
      }

      extension Library.Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "An access level of its own outweighs that of the extension",
    #"""
    public extension Library {
      @KeyValueObservable
      internal final class Article {
      }
    }
    """#,
    becomes: #"""
      public extension Library {
        internal final class Article {

          nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

          static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
            []
          }
        }
      }

      extension Library.Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A class that is explicitly not isolated has a conformance that is not",
    #"""
    @KeyValueObservable
    nonisolated final class Article {
    }
    """#,
    becomes: #"""
      nonisolated final class Article {

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }
      }

      extension Article: nonisolated KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A private class has members without an access level",
    #"""
    @KeyValueObservable
    private final class Article {
    }
    """#,
    becomes: #"""
      private final class Article {

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
    "The conformance of a class on a global actor is isolated to it",
    #"""
    @MainActor @KeyValueObservable
    final class Screen {
    }
    """#,
    becomes: #"""
      @MainActor
      final class Screen {

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }
      }

      extension Screen: @MainActor KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "Any attribute whose name ends in Actor is a global actor",
    #"""
    @KeyValueObservable @Storage.DatabaseActor
    final class Store {
    }
    """#,
    becomes: #"""
      @Storage.DatabaseActor
      final class Store {

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }
      }

      extension Store: @Storage.DatabaseActor KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "A generic class is the key paths' bound without its parameters",
    #"""
    @KeyValueObservable
    final class Box<Content> {
      var content: Content
    }
    """#,
    becomes: #"""
      final class Box<Content> {
        @_$KeyValueStored
        var content: Content

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty._$addStored("content", \Box.content, chained: \Box?.?.content, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Box.self)).content }, to: &properties)
          return properties
        }
      }

      extension Box: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "Members written by hand are not emitted again",
    #"""
    @KeyValueObservable
    class Article {
      let keyValueRegistrar = KeyValueRegistrar()
      class func keyValueProperties() -> [KeyValueProperty] { [] }
      class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
      class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
    }
    """#,
    becomes: #"""
      class Article {
        let keyValueRegistrar = KeyValueRegistrar()
        class func keyValueProperties() -> [KeyValueProperty] { [] }
        class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
        class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

        class func _$automaticallyNotifiesObservers(_ key: Swift.String) -> Swift.Bool {
          true
        }

        class func _$keyPathsForValuesAffecting(_ key: Swift.String) -> Swift.Set<Swift.String> {
          []
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
]
