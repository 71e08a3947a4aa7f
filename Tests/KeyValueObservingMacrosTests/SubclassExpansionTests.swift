import Testing

@testable import KeyValueObservingMacros

@Suite struct SubclassExpansionTests {
  @Test("A subclass of an observable class", arguments: subclassRows)
  func subclasses(row: Row) {
    row.check(KeyValueObservableMacro.self, inheritsConformance: true)
  }

  @Test("A conformance that is written out makes a root, and names an actor called anything")
  func writtenConformance() {
    let row = Row(
      "",
      #"""
      @Disk @KeyValueObservable
      final class Index: @Disk KeyValueObservable {
      }
      """#,
      becomes: #"""
        @Disk
        final class Index: @Disk KeyValueObservable {

          nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

          static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
            []
          }
        }
        """#
    )
    row.check(KeyValueObservableMacro.self, inheritsConformance: true)
  }
}

private let subclassRows = [
  Row(
    "The name of a private property says whose it is, since a relative may have another one",
    #"""
    @KeyValueObservable
    final class Story: Article {
      private var plot = ""
      var end = ""
    }
    """#,
    becomes: #"""
      final class Story: Article {
        @_$KeyValueStored
        private var plot = ""
        @_$KeyValueStored
        var end = ""

        override class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty.stored("plot\0Story", \Story.plot, chained: \Story?.?.plot, isReadOnly: true, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Story.self)).plot })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty._$addStored("end", \Story.end, chained: \Story?.?.end, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Story.self)).end }, to: &properties)
          return super.keyValueProperties() + properties
        }
      }
      """#
  ),
  Row(
    "A subclass adds to the key table of its superclass",
    #"""
    @KeyValueObservable
    public class Story: Article {
      var plot = ""
    }
    """#,
    becomes: #"""
      public class Story: Article {
        @_$KeyValueStored
        var plot = ""

        public override class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          func _$properties<_$Subject: Story>(of _: _$Subject.Type) -> [KeyValueObserving.KeyValueProperty] {
            var properties: [KeyValueObserving.KeyValueProperty] = []
            KeyValueObserving.KeyValueProperty._$addStored("plot", \_$Subject.plot, chained: \_$Subject?.?.plot, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Story.self)).plot }, to: &properties)
            return properties
          }
          return super.keyValueProperties() + _$properties(of: Self.self)
        }
      }
      """#
  ),
  Row(
    "A final subclass overrides a class member too",
    #"""
    @KeyValueObservable
    final class Story: Article {
      var plot = ""
    }
    """#,
    becomes: #"""
      final class Story: Article {
        @_$KeyValueStored
        var plot = ""

        override class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty._$addStored("plot", \Story.plot, chained: \Story?.?.plot, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Story.self)).plot }, to: &properties)
          return super.keyValueProperties() + properties
        }
      }
      """#
  ),
  Row(
    "A class that declares the conformance itself is a root",
    #"""
    @KeyValueObservable
    final class Article: KeyValueObservable {
    }
    """#,
    becomes: #"""
      final class Article: KeyValueObservable {

        nonisolated let keyValueRegistrar = KeyValueObserving.KeyValueRegistrar()

        static func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          []
        }
      }
      """#
  ),
  Row(
    "A subclass without properties needs nothing",
    #"""
    @KeyValueObservable
    final class Story: Article {
    }
    """#,
    becomes: #"""
      final class Story: Article {
      }
      """#
  ),
  Row(
    "A subclass lists an overriding accessor, and the key path of overriding observers",
    #"""
    @KeyValueObservable
    final class Story: Article {
      override var title: String {
        get { super.title }
        set { super.title = newValue }
      }
      override var size: Int {
        didSet {}
      }
    }
    """#,
    becomes: #"""
      final class Story: Article {
        override var title: String {
          get { super.title }
          set { super.title = newValue }
        }
        override var size: Int {
          didSet {}
        }

        override class func keyValueProperties() -> [KeyValueObserving.KeyValueProperty] {
          var properties: [KeyValueObserving.KeyValueProperty] = []
          KeyValueObserving.KeyValueProperty.computed("title", \Story.title, chained: \Story?.?.title, accessor: .init { (unsafe Swift.unsafeDowncast($0, to: Story.self)).title })._$append(to: &properties)
          KeyValueObserving.KeyValueProperty.overriding("size", \Story.size, chained: \Story?.?.size)._$append(to: &properties)
          return super.keyValueProperties() + properties
        }
      }
      """#
  ),
]
