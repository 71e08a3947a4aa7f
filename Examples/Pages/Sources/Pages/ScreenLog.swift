import LifecycleObserving

/// Prints the screens that are shown.
@MainActor
final class ScreenLog: @MainActor LifecycleObserver {
  func didAppear(_ owner: any LifecycleOwner) {
    guard let screen = owner as? PagesScreen, let page = screen.book.currentPage else { return }
    print("Shown: '\(page.title)', one of \(screen.book.pages.count) pages.")
  }

  func didDisappear(_ owner: any LifecycleOwner) {
    print("Closed.")
  }
}
