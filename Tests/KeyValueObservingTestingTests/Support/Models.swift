import KeyValueObserving

@KeyValueObservable
final class Article {
  var title: String?
  var count = 0
  var tags: [String] = []
  var marks: Set<Int> = []
  var author: Author?
  var headline: String { "\(title ?? "") \(count)" }
}

@KeyValueObservable
final class Shelf {
  var article: Article?
}

@KeyValueObservable
final class Author {
  var name = ""
}
