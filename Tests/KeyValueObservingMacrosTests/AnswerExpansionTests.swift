import Testing

@testable import KeyValueObservingMacros

@Suite struct AnswerExpansionTests {
  @Test("A class function with a key in its name is asked for that key", arguments: rootRows)
  func roots(row: Row) {
    row.check(KeyValueObservableMacro.self)
  }

  @Test("A subclass asks its superclass for other keys", arguments: subclassRows)
  func subclasses(row: Row) {
    row.check(KeyValueObservableMacro.self, inheritsConformance: true)
  }
}

private let rootRows = [
  Row(
    "A final class gets the functions that ask; a key may begin with a capital letter",
    #"""
    @KeyValueObservable
    final class Article {
      @KeyValueIgnored var slug, URL, _size, title: Int
      static func keyPathsForValuesAffectingSlug() -> Set<String> { ["title"] }
      static var keyPathsForValuesAffectingURL: Set<String> { ["slug"] }
      static func keyPathsForValuesAffecting_size() -> Set<String> { [] }
      static func automaticallyNotifiesObserversOfTitle() -> Bool { false }
    }
    """#,
    becomes: #"""
      final class Article {
        @KeyValueIgnored var slug, URL, _size, title: Int
        static func keyPathsForValuesAffectingSlug() -> Set<String> { ["title"] }
        static var keyPathsForValuesAffectingURL: Set<String> { ["slug"] }
        static func keyPathsForValuesAffecting_size() -> Set<String> { [] }
        static func automaticallyNotifiesObserversOfTitle() -> Bool { false }

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }

        static func automaticallyNotifiesObservers(forKey key: Swift.String) -> Swift.Bool {
          switch key {
          case "title", "Title": automaticallyNotifiesObserversOfTitle()
          default: true
          }
        }

        static func keyPathsForValuesAffectingValue(forKey key: Swift.String) -> Swift.Set<Swift.String> {
          switch key {
          case "slug", "Slug": keyPathsForValuesAffectingSlug()
          case "uRL", "URL": keyPathsForValuesAffectingURL
          case "_size": keyPathsForValuesAffecting_size()
          default: []
          }
        }
      }

      extension Article: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
  Row(
    "What only looks like one is left alone, and a key may be named value",
    #"""
    @KeyValueObservable
    public class Slider {
      @KeyValueIgnored var value: Int
      class func keyPathsForValuesAffectingValue() -> Set<String> { ["range"] }
      class func keyPathsForValuesAffectingRange(of key: String) -> Set<String> { [] }
      func keyPathsForValuesAffectingRange() -> Set<String> { [] }
      class func keyPathsForValuesAffectingly() -> Set<String> { [] }
    }
    """#,
    becomes: #"""
      public class Slider {
        @KeyValueIgnored var value: Int
        class func keyPathsForValuesAffectingValue() -> Set<String> { ["range"] }
        class func keyPathsForValuesAffectingRange(of key: String) -> Set<String> { [] }
        func keyPathsForValuesAffectingRange() -> Set<String> { [] }
        class func keyPathsForValuesAffectingly() -> Set<String> { [] }

        public nonisolated final let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        public class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }

        public class func automaticallyNotifiesObservers(forKey key: Swift.String) -> Swift.Bool {
          _$automaticallyNotifiesObservers(key)
        }

        public class func _$automaticallyNotifiesObservers(_ key: Swift.String) -> Swift.Bool {
          true
        }

        public class func keyPathsForValuesAffectingValue(forKey key: Swift.String) -> Swift.Set<Swift.String> {
          switch key {
          case "value", "Value": keyPathsForValuesAffectingValue()
          default: _$keyPathsForValuesAffecting(key)
          }
        }

        public class func _$keyPathsForValuesAffecting(_ key: Swift.String) -> Swift.Set<Swift.String> {
          []
        }
      }

      extension Slider: KeyValueObserving.KeyValueObservable {
      }
      """#
  ),
]

private let subclassRows = [
  Row(
    "The answer for an inherited key is asked for as well",
    #"""
    @KeyValueObservable
    final class Story: Article {
      override class func keyPathsForValuesAffectingSlug() -> Set<String> { ["plot"] }
      class func automaticallyNotifiesObserversOfTitle() -> Bool { false }
    }
    """#,
    becomes: #"""
      final class Story: Article {
        override class func keyPathsForValuesAffectingSlug() -> Set<String> { ["plot"] }
        class func automaticallyNotifiesObserversOfTitle() -> Bool { false }

        override class func automaticallyNotifiesObservers(forKey key: Swift.String) -> Swift.Bool {
          switch key {
          case "title", "Title": automaticallyNotifiesObserversOfTitle()
          default: super.automaticallyNotifiesObservers(forKey: key)
          }
        }

        override class func keyPathsForValuesAffectingValue(forKey key: Swift.String) -> Swift.Set<Swift.String> {
          switch key {
          case "slug", "Slug": keyPathsForValuesAffectingSlug()
          default: super.keyPathsForValuesAffectingValue(forKey: key)
          }
        }
      }
      """#
  ),
  Row(
    "One that answers for all keys itself has another function for single ones, which super asks",
    #"""
    @KeyValueObservable
    class Story: Article {
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        super.keyPathsForValuesAffectingValue(forKey: key)
      }
      class func keyPathsForValuesAffectingSlug() -> Set<String> { ["title"] }
    }
    """#,
    becomes: #"""
      class Story: Article {
        override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
          super.keyPathsForValuesAffectingValue(forKey: key)
        }
        class func keyPathsForValuesAffectingSlug() -> Set<String> { ["title"] }

        override class func _$keyPathsForValuesAffecting(_ key: Swift.String) -> Swift.Set<Swift.String> {
          switch key {
          case "slug", "Slug": keyPathsForValuesAffectingSlug()
          default: super._$keyPathsForValuesAffecting(key)
          }
        }
      }
      """#
  ),
]
