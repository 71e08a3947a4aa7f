import KeyValueObservingTesting
import XCTest

@testable import Pages

final class LeftoverTests: XCTestCase {
  func testHundredWindowsLeaveNothing() {
    withGTK {
      expectNoLiveObservations {
        do throws(Refusal) {
          try Cycles.run(100, pages: 5)
        } catch {
          XCTFail(error.sentence)
        }
      }
    }
  }

  func testWhatIsLeftIsCounted() {
    withTrial { trial, screen in
      let census = Census()
      census.add(screen)
      XCTAssertFalse(census.isEmpty)
      XCTAssertFalse(census.text.hasPrefix("0 GObjects"))
    }
  }

  func testARemovedPageIsDeallocated() {
    withTrial { trial, screen in
      weak let page = trial.book.pages[1]
      weak let entry = screen.titleEntry(of: trial.book.pages[1])
      XCTAssertNotNil(entry)
      trial.book.removeCurrentPage()
      trial.paintOnce()
      XCTAssertNil(page)
      XCTAssertNil(entry)
    }
  }
}
