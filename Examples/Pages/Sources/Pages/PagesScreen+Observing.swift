import CGtk
import GTKLifecycle
import KeyValueObserving

extension PagesScreen {
  /// Keeps the book and the widgets the same.
  func observe() {
    let adjustment = adjustment
    connect("notify::upper", of: adjustment) { [unowned self] in
      if Variant.jumpsInsideLayout { return showCurrentPage() }
      view.window.afterLayout { self.showCurrentPage() }
    }
    connect("notify::value", of: adjustment) { [unowned self] in openVisiblePage() }
    book.observe(\.currentPage, options: []) { [unowned self] _, _ in showCurrentPage() }.store(
      in: &tokens)
    book.observe(\.pages, options: []) { [unowned self] _, _ in removePageViews() }.store(
      in: &tokens)
    book.observe(\.currentPage?.title, options: .initial) { [unowned self] book, _ in
      gtk_label_set_text(OpaquePointer(view.status), book.currentPage?.title)
    }.store(in: &tokens)
    for page in book.pages {
      let entry = pageViews[ObjectIdentifier(page)]!.title
      connect("notify::text", of: entry) {
        let text = String(cString: gtk_editable_get_text(OpaquePointer(entry)))
        if page.title != text { page.title = text }
      }
      page.observe(\.title, options: .initial) { page, _ in
        let text = String(cString: gtk_editable_get_text(OpaquePointer(entry)))
        if page.title != text { gtk_editable_set_text(OpaquePointer(entry), page.title) }
      }.store(in: &tokens)
    }
  }
}
