import KeyValueObserving

extension Scene {
  static let weakLink = Scene(
    title: "A weak property whose object is deallocated",
    claim: "The property is not set, and yet its observers are notified that it became nil.",
    code: #"""
      let article = Article("Notes")
      var editor: Person? = Person("Grace")
      article.editor = editor

      let observation = article.observe(\.editor?.name, options: .new) { _, change in
        print("\(change.reason): the editor is \(change.newValueOrNil ?? "gone")")
      }
      editor?.name = "Grace Hopper"
      editor = nil
      observation.invalidate()
      """#
  ) { print in
    // shown
    let article = Article("Notes")
    var editor: Person? = Person("Grace")
    article.editor = editor

    let observation = article.observe(\.editor?.name, options: .new) { _, change in
      print("\(change.reason): the editor is \(change.newValueOrNil ?? "gone")")
    }
    editor?.name = "Grace Hopper"
    editor = nil
    observation.invalidate()
    // end of what is shown
  }
}
