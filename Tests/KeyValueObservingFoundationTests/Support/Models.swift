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
  private let onDeallocation: () -> Void
  init(_ onDeallocation: @escaping () -> Void) { self.onDeallocation = onDeallocation }
  deinit { onDeallocation() }
}
