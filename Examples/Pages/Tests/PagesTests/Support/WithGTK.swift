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
