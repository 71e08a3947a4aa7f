import KeyValueObserving

extension Scene {
  static let wrongMoments = Scene(
    title: "Register and end at the wrong moments",
    claim: "Nothing here traps, and no change is received twice or too late.",
    code: #"""
      var article: Article? = Article("Notes")
      var once: KeyValueObservation?
      var late: KeyValueObservation?

      once = article?.observe(\.title, options: .new) { article, change in
        print("once, then never again: \(change.newValue ?? "")")
        once?.invalidate()
        late = article.onChange(of: \.title) { print("registered in a callback: \($0)") }
      }
      article?.title = "Notes on the Engine"
      article?.title = "Notes on the Analytical Engine"

      once?.invalidate()
      article = nil
      late?.invalidate()
      late?.invalidate()
      print("ended twice, and after the deallocation")
      """#
  ) { print in
    // shown
    var article: Article? = Article("Notes")
    var once: KeyValueObservation?
    var late: KeyValueObservation?

    once = article?.observe(\.title, options: .new) { article, change in
      print("once, then never again: \(change.newValue ?? "")")
      once?.invalidate()
      late = article.onChange(of: \.title) { print("registered in a callback: \($0)") }
    }
    article?.title = "Notes on the Engine"
    article?.title = "Notes on the Analytical Engine"

    once?.invalidate()
    article = nil
    late?.invalidate()
    late?.invalidate()
    print("ended twice, and after the deallocation")
    // end of what is shown
  }
}
