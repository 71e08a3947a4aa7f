import KeyValueObserving

extension Scene {
  static let undo = Scene(
    title: "Undo",
    claim: "A history takes changes back, of an object and of all that it refers to.",
    code: #"""
      let article = Article("Notes", by: Person("Ada"))
      let history = KeyValueHistory(of: article, includingReachable: true)
      let observation = article.onChange(of: \.title, \.author?.name) {
        print("'\(article.title)' by \(article.author?.name ?? "unknown")")
      }
      article.title = "Sketches"
      article.author?.name = "Ada Lovelace"
      try? history.undo()
      try? history.undo()
      try? history.redo()
      observation.invalidate()
      """#
  ) { print in
    // shown
    let article = Article("Notes", by: Person("Ada"))
    let history = KeyValueHistory(of: article, includingReachable: true)
    let observation = article.onChange(of: \.title, \.author?.name) {
      print("'\(article.title)' by \(article.author?.name ?? "unknown")")
    }
    article.title = "Sketches"
    article.author?.name = "Ada Lovelace"
    try? history.undo()
    try? history.undo()
    try? history.redo()
    observation.invalidate()
    // end of what is shown
  }
}
