import CGtk
import GTKLifecycle
import XCTest

final class AfterLayoutTests: XCTestCase {
  func testWorkIsCalledAfterTheLayoutThatItIsAddedInAndBeforeThePaint() {
    withTrial { trial in
      connect("notify::upper", of: trial.adjustment) {
        let frame = trial.frame
        trial.log.append("size")
        trial.window.afterLayout {
          trial.log.append("work")
          XCTAssertEqual(trial.frame, frame)
        }
      }
      trial.show()
      trial.logFrames()
      XCTAssertEqual(gtk_adjustment_get_upper(trial.adjustment), 0)
      trial.paint()
      XCTAssertEqual(Array(trial.log.prefix(3)), ["size", "layout", "work"])
      XCTAssertEqual(trial.log.last, "paint")
      trial.close()
    }
  }

  func testWorkThatIsAddedBeforeTheWindowIsShownWaitsForItsFirstLayout() {
    withTrial { trial in
      trial.window.afterLayout { trial.log.append("\(gtk_adjustment_get_upper(trial.adjustment))") }
      trial.show()
      XCTAssertEqual(trial.log, [])
      trial.paint()
      XCTAssertEqual(trial.log, ["900.0"])
      trial.close()
    }
  }

  func testWorkAsksForALayoutWhereNoneIsDue() {
    withTrial { trial in
      trial.show()
      trial.paint()
      var isCalled = false
      trial.window.afterLayout { isCalled = true }
      XCTAssertFalse(isCalled)
      while !isCalled { g_main_context_iteration(nil, 1) }
      trial.close()
    }
  }

  func testWorkInWorkIsCalledInTheSameFrame() {
    withTrial { trial in
      var frames: [Int] = []
      trial.window.afterLayout {
        frames.append(trial.frame)
        trial.window.afterLayout { frames.append(trial.frame) }
        XCTAssertEqual(frames.count, 1)
      }
      trial.show()
      trial.paint()
      XCTAssertEqual(frames.count, 2)
      XCTAssertEqual(frames.first, frames.last)
      trial.close()
    }
  }

  func testWorkIsReleasedWhenTheWindowIsHidden() {
    withTrial { trial in
      trial.show()
      trial.paint()
      trial.window.afterLayout { XCTFail("The window was hidden.") }
      trial.hide()
      trial.show()
      trial.paint()
      trial.close()
    }
  }

  func testWorkThatDestroysTheWindowIsTheLast() {
    withTrial { trial in
      trial.window.afterLayout { trial.close() }
      trial.window.afterLayout { XCTFail("The window is destroyed.") }
      trial.show()
      trial.paint()
      XCTAssertFalse(trial.isOpen)
    }
  }

  private func withTrial(_ test: @MainActor (WindowTrial) -> Void) {
    MainActor.assumeIsolated {
      let trial = WindowTrial()
      test(trial)
      XCTAssertFalse(trial.isOpen)
    }
  }
}
