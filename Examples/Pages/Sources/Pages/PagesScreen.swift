import CGtk
import GTKLifecycle
import KeyValueObserving

/// One window of the program: shows a book, opened at its current page.
///
/// The window owns the screen, so the screen's pointers to widgets are valid as long as it exists.
@MainActor
final class PagesScreen {
  let book: Book
  let view = PagesView()
  var pageViews: [ObjectIdentifier: PageView] = [:]
  var tokens: Set<KeyValueObservation> = []

  /// Makes the window, which is shown by `show()`.
  init(_ book: Book) {
    self.book = book
    for page in book.pages { add(PageView(of: page), for: page) }
    view.addTurn("‹") { [unowned self] in self.book.turn(by: -1) }
    view.addTurn("›") { [unowned self] in self.book.turn(by: 1) }
    view.addButton("Restore Titles") { [unowned self] in self.book.restoreTitles() }
    view.addButton("Remove Page") { [unowned self] in self.book.removeCurrentPage() }
    view.window.attach(self)
    observe()
  }

  func show() {
    gtk_window_present(view.window.cast())
  }

  func close() {
    gtk_window_destroy(view.window.cast())
  }

  private func add(_ pageView: PageView, for page: Page) {
    pageViews[ObjectIdentifier(page)] = pageView
    gtk_box_append(view.pageBox.cast(), pageView.root)
  }

  var adjustment: UnsafeMutablePointer<GtkAdjustment> {
    gtk_scrolled_window_get_hadjustment(OpaquePointer(view.scroller))
  }

  /// Scrolls to the current page.
  func showCurrentPage() {
    guard let index = book.currentIndex else { return }
    gtk_adjustment_set_value(adjustment, Double(index) * gtk_adjustment_get_page_size(adjustment))
  }

  /// Opens the page that the user has scrolled to.
  func openVisiblePage() {
    let width = gtk_adjustment_get_page_size(adjustment)
    guard width > 0 else { return }
    let index = Int((gtk_adjustment_get_value(adjustment) / width).rounded())
    if book.pages.indices.contains(index), book.currentPage !== book.pages[index] {
      book.currentPage = book.pages[index]
    }
  }

  /// Takes away the widgets of pages that are not in the book any more.
  func removePageViews() {
    let left = Set(book.pages.map(ObjectIdentifier.init))
    for (page, pageView) in pageViews where !left.contains(page) {
      gtk_box_remove(view.pageBox.cast(), pageView.root)
      pageViews[page] = nil
    }
  }
}
