import KeyValueObserving

/// The model of a window: pages, one of which is open.
@KeyValueObservable
@MainActor
final class Book {
  private(set) var pages: [Page]
  var currentPage: Page?

  /// Opens a book at a page.
  ///
  /// Pages are numbered from 1.
  init(pages count: Int, openedAt number: Int) {
    pages = Planet.all.prefix(count).map(Page.init)
    currentPage = pages[number - 1]
  }

  /// The index of the page that is open.
  var currentIndex: Int? {
    pages.firstIndex { $0 === currentPage }
  }

  /// Opens the next page, the one before, or any other that is so many pages away, if there is one.
  func turn(by distance: Int) {
    guard let index = currentIndex, pages.indices.contains(index + distance) else { return }
    currentPage = pages[index + distance]
  }

  /// Removes the page that is open, and opens the one after it or else the one before it.
  ///
  /// The last page stays.
  func removeCurrentPage() {
    guard pages.count > 1, let index = currentIndex else { return }
    pages.remove(at: index)
    currentPage = pages[min(index, pages.count - 1)]
  }

  /// Gives each page its first title again.
  func restoreTitles() {
    for page in pages { page.title = page.planet.name }
  }
}
