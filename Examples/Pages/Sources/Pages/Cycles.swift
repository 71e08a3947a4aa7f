import CGtk
import GTKLifecycle

/// Opens and closes windows, one after the other.
@MainActor
enum Cycles {
  /// Opens each window on another page, and closes it when it has been painted.
  ///
  /// - Throws: What is left when all are closed.
  static func run(_ count: Int, pages: Int) throws(Refusal) {
    for cycle in 0..<count {
      let screen = PagesScreen(Book(pages: pages, openedAt: 1 + cycle % pages))
      let window = screen.view.window
      var isOpen = true
      window.onMoment { moment in
        if moment == .painted { gtk_window_destroy(window.cast()) }
        if moment == .destroyed { isOpen = false }
      }
      screen.show()
      while isOpen { g_main_context_iteration(nil, 1) }
    }
    print("\(count) windows")
  }
}
