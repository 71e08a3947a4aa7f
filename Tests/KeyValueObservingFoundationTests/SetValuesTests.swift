#if !canImport(ObjectiveC)
  import Foundation
  import KeyValueObservingFoundation
  import Testing

  @Suite("setValuesForKeys")
  struct SetValuesTests {
    @KeyValueObservable
    final class Page {
      var title = ""
      var note: String? = "old"
      var number = 0
    }

    @Test("P43: all values are set, and NSNull stands for nil")
    func all() {
      let page = Page()
      var changes: [String] = []
      let token = page.onChange(of: \.title, \.note) { changes.append(page.title) }
      page.setValuesForKeys(["title": "News", "note": NSNull(), "number": 3])
      #expect(page.title == "News" && page.note == nil && page.number == 3)
      #expect(changes.count == 2)
      withExtendedLifetime(token) {}
    }
  }
#endif
