import GTKLifecycle
import XCTest

@testable import Pages

final class StartPageTests: XCTestCase {
  func testTheStartPageIsSeenAtTheFirstPaint() {
    withGTK {
      for pages in 3...8 {
        for start in 1...pages {
          let trial = ScreenTrial(pages: pages, start: start)
          trial.show()
          XCTAssertEqual(trial.pageSeen, start, "of \(pages)")
          trial.close()
        }
      }
    }
  }

  func testAJumpInsideTheLayoutIsNotSeen() {
    withGTK {
      Mistake.runsWorkInsideLayout = true
      defer { Mistake.runsWorkInsideLayout = false }
      for start in 2...5 {
        let trial = ScreenTrial(pages: 5, start: start)
        trial.show()
        XCTAssertEqual(trial.pageSeen, 1)
        trial.paintOnce()
        XCTAssertEqual(trial.pageSeen, 1, "and stays so")
        trial.close()
      }
    }
  }
}
