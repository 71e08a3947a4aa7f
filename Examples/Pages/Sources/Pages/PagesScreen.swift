import CGtk
import GTKLifecycle
import KeyValueObservingGObject
import LifecycleObserving

/// One window of the program: shows a book, opened at its current page.
///
/// The window owns the screen, so the screen's pointers to widgets are valid as long as it exists.
@MainActor
final class PagesScreen: @MainActor LifecycleOwner {
  let lifecycle = Lifecycle()
  let book: Book
  let view = PagesView()
  let scroller: GObjectSource
  let status: GObjectSource
  private(set) var pageViews: [ObjectIdentifier: PageView] = [:]
  private var isClosing = false

  /// Makes the window, which is shown by `show()`.
  init(_ book: Book) {
    self.book = book
    scroller = GObjectSource.of(view.scroller)
    status = GObjectSource.of(view.status)
    for page in book.pages { add(PageView(of: page), for: page) }
    view.addTurn("‹") { [unowned self] in self.book.turn(by: -1) }
    view.addTurn("›") { [unowned self] in self.book.turn(by: 1) }
    view.addButton("Restore Titles") { [unowned self] in self.book.restoreTitles() }
    view.addButton("Remove Page") { [unowned self] in self.book.removeCurrentPage() }
    view.window.attach(self)
    view.window.drive(lifecycle)
    observe()
  }

  func show() {
    gtk_window_present(view.window.cast())
  }

  /// Closes the window, which ends the screen.
  ///
  /// Further calls do nothing.
  func close() {
    if isClosing { return }
    isClosing = true
    gtk_window_destroy(view.window.cast())
  }

  // MARK: Pages

  /// Scrolls to the current page.
  func showCurrentPage() {
    guard let index = book.currentIndex, let adjustment = scroller[.hadjustment] else { return }
    adjustment[.value] = Double(index) * Double(PageView.width)
  }

  /// Opens the page to which the user has scrolled.
  func openVisiblePage() {
    guard let value = scroller[.hadjustment]?[.value] else { return }
    let index = Int((value / Double(PageView.width)).rounded())
    if book.pages.indices.contains(index), book.currentPage !== book.pages[index] {
      book.currentPage = book.pages[index]
    }
  }

  /// Takes away the widgets of pages that are not in the book any more.
  func removePageViews() {
    let left = Set(book.pages.map(ObjectIdentifier.init))
    for (page, pageView) in pageViews where !left.contains(page) {
      pageViews[page] = nil
      gtk_box_remove(view.pageBox.cast(), pageView.root)
    }
  }

  /// The entry in which the title of a page is edited.
  func titleEntry(of page: Page) -> GObjectSource? {
    pageViews[ObjectIdentifier(page)].map { GObjectSource.of($0.title) }
  }

  private func add(_ pageView: PageView, for page: Page) {
    pageViews[ObjectIdentifier(page)] = pageView
    gtk_box_append(view.pageBox.cast(), pageView.root)
  }
}
