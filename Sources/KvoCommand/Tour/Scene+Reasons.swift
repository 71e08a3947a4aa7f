import KeyValueObserving

extension Scene {
  static let reasons = Scene(
    title: "Why a value changed",
    claim: "An observer of a key path learns which part changed.",
    code: #"""
      var observer: KeyValueObserver?
      do {
        let article = Article("Notes", by: Person("Ada"))
        observer = KeyValueObserver(source: article, keyPath: \.author?.name, options: .new) {
          change, reason in
          print("\(reason): the author is \(change.newValueOrNil ?? "unknown")")
        }
        article.author?.name = "Ada Lovelace"
        article.author = Person("Grace")
        article.author = nil
      }  // Nothing holds the article any longer.
      observer?.cancel()
      """#
  ) { print in
    // shown
    var observer: KeyValueObserver?
    do {
      let article = Article("Notes", by: Person("Ada"))
      observer = KeyValueObserver(source: article, keyPath: \.author?.name, options: .new) {
        change, reason in
        print("\(reason): the author is \(change.newValueOrNil ?? "unknown")")
      }
      article.author?.name = "Ada Lovelace"
      article.author = Person("Grace")
      article.author = nil
    }  // Nothing holds the article any longer.
    observer?.cancel()
    // end of what is shown
  }
}
