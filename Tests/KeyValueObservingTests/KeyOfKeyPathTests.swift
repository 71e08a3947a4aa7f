import KeyValueObserving
import Testing

@KeyValueObservable
private class Writer {
  var name = ""
  var size = Size(width: 1)
  var tags: [String] = []
  var next: Writer?
  weak var editor: Writer?
  let home = Dwelling()
  @KeyValueIgnored var draft = ""
  private var secret = 0
  var title: String { name }

  static var secretKey: String? { key(for: \.secret) }
}

@KeyValueObservable
private final class Novelist: Writer {
  override var title: String { "novel" }
  var books = 0
}

@KeyValueObservable
private final class Dwelling {
  var city = ""
}

private struct Size {
  var width: Int
}

extension Writer {
  var summary: String { name }
}

extension AllTests {
  @Suite("The key of a key path")
  struct KeyOfKeyPathTests {
    @Test("P7: a property has its key, in the class that declares it and in a subclass")
    func properties() {
      #expect(Writer.key(for: \.name) == "name")
      #expect(Writer.key(for: \.title) == "title")
      #expect(Writer.key(for: \.editor) == "editor")
      #expect(Writer.key(for: \.home) == "home")
      #expect(Novelist.key(for: \.name) == "name")
      #expect(Novelist.key(for: \.title) == "title")
      #expect(Novelist.key(for: \.books) == "books")
    }

    @Test("P7: a path through objects has the key path of its components, before it is observed")
    func paths() throws {
      #expect(Writer.key(for: \.home.city) == "home.city")
      #expect(Writer.key(for: \.editor?.name) == "editor.name")
      #expect(Writer.key(for: \.next?.editor?.name) == "next.editor.name")
      #expect(Writer.key(for: \.next?.editor?.next?.title) == "next.editor.next.title")
      #expect(Novelist.key(for: \.next!.title) == "next.title")
      let writer = Writer()
      writer.name = "Ada"
      writer.next = writer
      let keyPath = try #require(Writer.key(for: \.next?.name))
      #expect(try writer.value(forKeyPath: keyPath) as? String == "Ada")
      writer.next = nil
    }

    @Test("P7: what no string stands for has none")
    func none() {
      #expect(Writer.key(for: \.self) == nil)
      #expect(Writer.key(for: \.size.width) == nil)
      #expect(Writer.key(for: \.tags[0]) == nil)
      #expect(Writer.key(for: \.tags.count) == nil)
      #expect(Writer.key(for: \.draft) == nil)
      #expect(Writer.key(for: \.next?.draft) == nil)
      #expect(Writer.key(for: \.summary) == nil)
    }

    @Test("P6: the key of a private property is known where its key path is")
    func privateProperty() throws {
      let key = try #require(Writer.secretKey)
      #expect(key == "secret")
      #expect(try Writer().value(forKey: key) != nil)
    }

    @Test("P7: nor has a path whose components cannot be found")
    func unknown() {
      #expect(Writer.key(for: \.next?.home.city) == nil)
      #expect(Writer.key(for: \.next?.next?.next?.next?.name) == nil)
    }

    @Test("P7: a key that is data has no key path")
    func dynamicKeys() {
      #expect(KeyValueDictionary.key(for: \.["a"]) == nil)
    }
  }
}
