import KeyValueObserving

extension Scene {
  static let contentSize = Scene(
    title: "Jump to a page as soon as the content has a size",
    claim: "One block serves a size that is known already and one that comes later.",
    code: #"""
      let view = ScrollView()
      var page: Int? = 3
      var observation: KeyValueObservation?

      observation = view.observe(\.contentSize.width, options: [.initial, .new]) { view, change in
        print("the content is \(change.newValue ?? 0) wide")
        guard let target = page, view.contentSize.width > 0 else { return }
        page = nil
        view.offset = Double(target) * view.pageWidth
        print("jump to page \(target), at \(view.offset)")
        observation?.invalidate()
      }
      view.contentSize.width = 1600
      view.contentSize.width = 3200
      observation = nil
      """#
  ) { print in
    // shown
    let view = ScrollView()
    var page: Int? = 3
    var observation: KeyValueObservation?

    observation = view.observe(\.contentSize.width, options: [.initial, .new]) { view, change in
      print("the content is \(change.newValue ?? 0) wide")
      guard let target = page, view.contentSize.width > 0 else { return }
      page = nil
      view.offset = Double(target) * view.pageWidth
      print("jump to page \(target), at \(view.offset)")
      observation?.invalidate()
    }
    view.contentSize.width = 1600
    view.contentSize.width = 3200
    observation = nil
    // end of what is shown
  }
}
