import KeyValueObserving

extension Scene {
  static let severalProperties = Scene(
    title: "Several properties in one block",
    claim: "The block runs after a change of any of them, and of nothing else.",
    code: #"""
      let article = Article("Notes")
      let observation = article.onChange(of: \.title, \.author?.name) {
        print("draw '\(article.title)' by \(article.author?.name ?? "unknown")")
      }
      article.title = "Notes on the Engine"
      article.author = Person("Ada")
      article.author?.name = "Ada Lovelace"
      article.views += 1
      observation.invalidate()
      """#
  ) { print in
    // shown
    let article = Article("Notes")
    let observation = article.onChange(of: \.title, \.author?.name) {
      print("draw '\(article.title)' by \(article.author?.name ?? "unknown")")
    }
    article.title = "Notes on the Engine"
    article.author = Person("Ada")
    article.author?.name = "Ada Lovelace"
    article.views += 1
    observation.invalidate()
    // end of what is shown
  }
}
