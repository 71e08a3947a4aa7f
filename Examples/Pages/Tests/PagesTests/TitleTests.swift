import CGtk
import GTKLifecycle
import KeyValueObservingGObject
import XCTest

@testable import Pages

final class TitleTests: XCTestCase {
  func testATitleIsEditedInTheWindow() {
    withTrial { trial, screen in
      let page = trial.book.pages[1]
      gtk_editable_set_text(OpaquePointer(trial.entry(of: page)), "Evening star")
      XCTAssertEqual(page.title, "Evening star")
      XCTAssertEqual(screen.status["label"] as? String, "Evening star")
    }
  }

  func testATitleIsEditedByTheModel() {
    withTrial { trial, screen in
      let page = trial.book.pages[1]
      page.title = "Morning star"
      XCTAssertEqual(trial.text(of: page), "Morning star")
      XCTAssertEqual(screen.status["label"] as? String, "Morning star")
      trial.book.restoreTitles()
      XCTAssertEqual(trial.text(of: page), "Venus")
      XCTAssertEqual(screen.status["label"] as? String, "Venus")
    }
  }

  func testTheStatusLineFollowsTheCurrentPage() {
    withTrial { trial, screen in
      trial.book.turn(by: 1)
      XCTAssertEqual(screen.status["label"] as? String, "Earth")
      trial.book.pages[1].title = "Not open"
      XCTAssertEqual(screen.status["label"] as? String, "Earth")
      trial.paintOnce()
      XCTAssertEqual(trial.pageSeen, 3)
    }
  }

  func testAPageThatIsScrolledToIsTheCurrentOne() {
    withTrial { trial, screen in
      screen.scroller[.hadjustment]?[.value] = 3 * Double(PageView.width)
      XCTAssertEqual(trial.book.currentIndex, 3)
      XCTAssertEqual(screen.status["label"] as? String, "Mars")
    }
  }

  func testNothingIsObservedWhenTheWindowIsClosed() {
    withTrial { trial, screen in
      let (book, status) = (trial.book, screen.status)
      screen.close()
      book.pages[1].title = "Closed"
      XCTAssertEqual(status["label"] as? String, "Venus")
    }
  }
}
