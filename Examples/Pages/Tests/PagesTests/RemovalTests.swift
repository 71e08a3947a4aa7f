import CGtk
import GTKLifecycle
import KeyValueObservingGObject
import LifecycleObserving
import XCTest

@testable import Pages

final class RemovalTests: XCTestCase {
  func testTheNextPageIsSeenWhenAPageIsRemoved() {
    withTrial { trial, _ in
      trial.book.removeCurrentPage()
      XCTAssertEqual(trial.book.currentPage?.title, "Earth")
      trial.paintOnce()
      XCTAssertEqual(trial.pageSeen, 2)
      for _ in 0..<5 { trial.book.removeCurrentPage() }
      trial.paintOnce()
      XCTAssertEqual(trial.book.pages.map(\.title), ["Mercury"])
      XCTAssertEqual(trial.pageSeen, 1)
    }
  }

  func testAPageIsRemovedWhileItsTitleIsDelivered() {
    for remove in RemovalTests.removals {
      withTrial { trial, screen in
        let page = trial.book.pages[1]
        page.observe(\.title, while: .loaded, of: screen) { screen, _ in remove(screen) }
        gtk_editable_set_text(OpaquePointer(trial.entry(of: page)), "Removed")
        trial.paintOnce()
      }
      withTrial { trial, screen in
        let page = trial.book.pages[1]
        screen.titleEntry(of: page)?.observe(\.[.text], while: .loaded, of: screen) { screen, _ in
          remove(screen)
        }
        page.title = "Removed"
        trial.paintOnce()
      }
    }
  }

  func testAPageIsRemovedAfterTheLayoutThatIsDelivered() {
    for remove in RemovalTests.removals {
      withTrial(isShown: false) { trial, screen in
        screen.scroller.observe(
          \.[.hadjustment]?[.upper], while: .presented, of: screen,
          deliver: .afterLayout(of: screen.view.window)
        ) { screen, _ in if screen.book.pages.count == 5 { remove(screen) } }
        trial.show()
        XCTAssertNotEqual(trial.moments.contains(.destroyed), trial.pageSeen == 2)
      }
    }
  }

  func testAPageIsRemovedInEachPhase() {
    for phase in [Lifecycle.Phase.loaded, .appearing, .visible, .disappearing] {
      removes(in: phase) { $0.book.removeCurrentPage() }
    }
  }

  // GTK itself does not allow for a window to be destroyed while it is realized or mapped.
  func testTheWindowIsClosedInAPhase() {
    for phase in [Lifecycle.Phase.visible, .disappearing] {
      removes(in: phase) { $0.close() }
    }
  }

  private func removes(
    in phase: Lifecycle.Phase, _ remove: @escaping @MainActor (PagesScreen) -> Void
  ) {
    withTrial(isShown: false) { trial, screen in
      var phases: [Lifecycle.Phase] = []
      screen.lifecycle.observe(\.phase, while: .loaded, of: screen, options: [.initial, .new]) {
        screen, change in
        guard let new = change.newValue else { return }
        phases.append(new)
        if new == phase, phases.count(where: { $0 == phase }) == 1 { remove(screen) }
      }
      trial.show()
      trial.close()
      XCTAssertEqual(phases, [.loaded, .appearing, .visible, .disappearing, .loaded, .ended])
    }
  }

  /// Removes the page that is open, and closes the window.
  private static var removals: [@MainActor (PagesScreen) -> Void] {
    [{ $0.book.removeCurrentPage() }, { $0.close() }]
  }
}
