import CGtk
import XCTest

@testable import Pages

/// Runs a test on the main actor, with a display.
///
/// XCTest calls synchronous tests on the main thread, which is GTK's, but does not find tests that are
/// isolated to the main actor.
func withGTK(_ test: @MainActor () -> Void) {
  MainActor.assumeIsolated {
    XCTAssertNotEqual(gtk_init_check(), 0, "There is no display: run this test with xvfb-run.")
    Style.use()
    test()
  }
}

/// Runs a test with a screen of five pages that is opened on page 2, and closes the screen.
func withTrial(
  isShown: Bool = true, _ test: @MainActor (ScreenTrial, PagesScreen) -> Void
) {
  withGTK {
    let trial = ScreenTrial(pages: 5, start: 2)
    if isShown { trial.show() }
    if let screen = trial.screen { test(trial, screen) }
    trial.close()
    XCTAssertNil(trial.screen)
  }
}
