import GTKLifecycle
import KeyValueObservingGObject
import LifecycleObserving

extension GObjectKey {
  static var hadjustment: GObjectKey<GObjectSource> { "hadjustment" }
  static var label: GObjectKey<String> { "label" }
  static var text: GObjectKey<String> { "text" }
  static var upper: GObjectKey<Double> { "upper" }
  static var value: GObjectKey<Double> { "value" }
}

extension PagesScreen {
  /// Keeps the book and the widgets the same.
  func observe() {
    scroller.observe(
      \.[.hadjustment]?[.upper], while: .presented, of: self,
      deliver: .afterLayout(of: view.window)
    ) { screen, _ in screen.showCurrentPage() }
    scroller.observe(\.[.hadjustment]?[.value], while: .presented, of: self) { screen, _ in
      screen.openVisiblePage()
    }
    book.observe(\.currentPage, while: .presented, of: self) { screen, _ in
      screen.showCurrentPage()
    }
    book.observe(\.pages, while: .loaded, of: self) { screen, _ in screen.removePageViews() }
    book.observe(\.currentPage?.title, while: .onScreen, of: self, options: [.initial, .new]) {
      screen, change in screen.status[.label] = change.newValue ?? ""
    }
    for page in book.pages { observeTitle(of: page) }
  }

  /// Keeps the title of a page and the text of its entry the same, for as long as both exist.
  private func observeTitle(of page: Page) {
    guard let entry = titleEntry(of: page) else { return }
    page.observe(\.title, while: .loaded, of: self, options: [.initial, .new]) {
      [weak entry] _, change in
      if let entry, entry[.text] != change.newValue { entry[.text] = change.newValue }
    }
    entry.observe(\.[.text], while: .loaded, of: self, options: .new) {
      [weak page] _, change in
      if let page, let text = change.newValue ?? nil, page.title != text { page.title = text }
    }
  }
}
