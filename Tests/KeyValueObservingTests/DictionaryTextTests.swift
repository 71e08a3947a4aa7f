import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Dictionaries as literals and as text")
  struct DictionaryTextTests {
    @Test("a literal is an object, as are nested ones, and the last of several values counts")
    func literal() throws {
      let settings: KeyValueDictionary = [
        "volume": 6, "skin": ["name": "dark"] as [String: Any?], "volume": 7, "none": nil,
      ]
      #expect(settings["volume"] as? Int == 7)
      #expect(try settings.value(forKeyPath: "skin.name") as? String == "dark")
      #expect(settings.keys.sorted() == ["none", "skin", "volume"])
      let empty: KeyValueDictionary = [:]
      #expect(empty.keys.isEmpty)
    }

    @Test("the description is that of a Swift dictionary, in the order of the keys")
    func description() {
      let settings: KeyValueDictionary = [
        "volume": 7, "skin": ["name": "dark"] as [String: Any?], "none": nil,
        "list": [1, "a", ["b": 2] as [String: Any?], nil] as [Any?], "a \"key\"": true,
      ]
      #expect(
        settings.description == """
          ["a \\"key\\"": true, "list": [1, "a", ["b": 2], nil], "none": nil, \
          "skin": ["name": "dark"], "volume": 7]
          """)
      #expect(settings.debugDescription == "KeyValueDictionary(\(settings.description))")
      #expect(KeyValueDictionary().description == "[:]")
    }

    @Test("an object inside itself is not described again")
    func cycle() {
      let root: KeyValueDictionary = ["name": "root"]
      let child: KeyValueDictionary = ["parent": root]
      root["children"] = [child, child]
      #expect(
        root.description
          == #"["children": [["parent": […]], ["parent": […]]], "name": "root"]"#)
      root["children"] = nil
    }

    @Test("P21: a computed property does not depend on what a description shows")
    func untracked() {
      let screen = Screen()
      var count = 0
      let token = screen.onChange(of: \.text) { _ in count += 1 }
      screen.settings["volume"] = 8
      #expect(count == 0 && screen.text == #"["volume": 8]"#)
      withExtendedLifetime((token, screen)) {}
    }

    @KeyValueObservable
    final class Screen {
      let settings: KeyValueDictionary = ["volume": 7]
      var text: String { settings.description }
    }
  }
}
