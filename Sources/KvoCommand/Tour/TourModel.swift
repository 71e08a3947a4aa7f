import KeyValueObserving

// shown
@KeyValueObservable final class Person {
  var name: String

  init(_ name: String) { self.name = name }
}

@KeyValueObservable final class Article {
  var title: String
  var author: Person?
  weak var editor: Person?
  var views = 0

  init(_ title: String, by author: Person? = nil) {
    self.title = title
    self.author = author
  }
}

@KeyValueObservable final class ScrollView {
  var contentSize = (width: 0.0, height: 0.0)
  var offset = 0.0
  let pageWidth = 320.0
}
// end of what is shown

enum TourModel {
  static let code = """
    @KeyValueObservable final class Person {
      var name: String

      init(_ name: String) { self.name = name }
    }

    @KeyValueObservable final class Article {
      var title: String
      var author: Person?
      weak var editor: Person?
      var views = 0

      init(_ title: String, by author: Person? = nil) {
        self.title = title
        self.author = author
      }
    }

    @KeyValueObservable final class ScrollView {
      var contentSize = (width: 0.0, height: 0.0)
      var offset = 0.0
      let pageWidth = 320.0
    }
    """
}
