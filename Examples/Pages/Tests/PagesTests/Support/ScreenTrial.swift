import CGtk
import GTKLifecycle
import XCTest

@testable import Pages

/// A screen that a test opens and closes, and what is seen of it.
@MainActor
final class ScreenTrial {
  let book: Book
  private(set) var moments: [WidgetMoment] = []
  /// Nil once the window is destroyed, which owns the screen.
  private(set) weak var screen: PagesScreen?
  private let window: Widget

  /// Creates a screen that is not shown yet.
  init(pages: Int, start: Int) {
    book = Book(pages: pages, openedAt: start)
    let screen = PagesScreen(book)
    self.screen = screen
    window = screen.view.window
    window.onMoment { [weak self] moment in self?.moments.append(moment) }
  }

  /// Shows the screen, and runs the main loop until it has been painted or destroyed.
  func show() {
    screen?.show()
    run(until: .painted)
  }

  func close() {
    if isOpen { screen?.close() }
    run(until: .destroyed)
  }

  /// Runs the main loop until a moment has come, or the window is destroyed.
  func run(until moment: WidgetMoment) {
    while isOpen, !moments.contains(moment) { g_main_context_iteration(nil, 1) }
  }

  /// Whether the window has not been destroyed.
  var isOpen: Bool { !moments.contains(.destroyed) }

  /// Runs the main loop for one more frame.
  func paintOnce() {
    guard isOpen, let clock = gtk_widget_get_frame_clock(window) else { return }
    var isPainted = false
    let paint = connect("paint", of: UnsafeMutableRawPointer(clock), .last) { isPainted = true }
    gtk_widget_queue_draw(window)
    while !isPainted { g_main_context_iteration(nil, 1) }
    paint.disconnect()
  }

  /// The entry in which the title of a page is edited.
  func entry(of page: Page) -> Widget? {
    screen?.pageViews[ObjectIdentifier(page)]?.title
  }

  func text(of page: Page) -> String? {
    entry(of: page).map { String(cString: gtk_editable_get_text(OpaquePointer($0))) }
  }

  // MARK: What is seen

  /// The number of the page that is seen, nil if it is not exactly one: from the places of the pages
  /// in the window.
  var pageSeen: Int? {
    guard isOpen, let screen else { return nil }
    let edge = place(of: screen.view.scroller)
    return book.pages.firstIndex {
      screen.pageViews[ObjectIdentifier($0)].map { place(of: $0.root) == edge } ?? false
    }.map { $0 + 1 }
  }

  /// The place of a widget's upper left corner in the window.
  private func place(of widget: Widget) -> [Float] {
    var (origin, place) = (graphene_point_t(), graphene_point_t())
    guard gtk_widget_compute_point(widget, window, &origin, &place) != 0 else { return [] }
    return [place.x, place.y]
  }
}
