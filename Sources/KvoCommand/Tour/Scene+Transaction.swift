import KeyValueObserving

extension Scene {
  static let transaction = Scene(
    title: "Several changes as one, or none",
    claim: "Observers receive one change at the end, and an error takes everything back.",
    code: #"""
      let article = Article("Notes")
      let observation = article.observe(\.views, options: [.old, .new]) { _, change in
        print("views: \(change)")
      }
      withKeyValueTransaction {
        article.views += 1
        article.views += 1
      }
      try? withKeyValueTransaction {
        article.views = 0
        throw CancellationError()
      }
      print("there are still \(article.views)")
      observation.invalidate()
      """#
  ) { print in
    // shown
    let article = Article("Notes")
    let observation = article.observe(\.views, options: [.old, .new]) { _, change in
      print("views: \(change)")
    }
    withKeyValueTransaction {
      article.views += 1
      article.views += 1
    }
    try? withKeyValueTransaction {
      article.views = 0
      throw CancellationError()
    }
    print("there are still \(article.views)")
    observation.invalidate()
    // end of what is shown
  }
}
