import KeyValueObservingFoundation

@KeyValueObservable
final class Article {
  var title = "a"
  var subtitle: String?
  var count = 0
  var author: Author?
  var tags: [String] = []
  weak var editor: Author?
}

@KeyValueObservable
final class Author {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

/// Watches that nothing outlives its test.
final class Canary {
  private let onDeath: () -> Void
  init(_ onDeath: @escaping () -> Void) { self.onDeath = onDeath }
  deinit { onDeath() }
}
