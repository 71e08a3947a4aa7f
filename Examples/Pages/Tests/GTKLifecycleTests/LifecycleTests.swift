import CGtk
import GTKLifecycle
import KeyValueObservingGObject
import LifecycleObserving
import XCTest

final class LifecycleTests: XCTestCase {
  @MainActor
  private final class Screen: @MainActor LifecycleOwner {
    let lifecycle = Lifecycle()
  }

  func testAWindowMovesALifecycle() {
    withTrial { trial, screen, phases in
      trial.show()
      XCTAssertEqual(phases.all, [.loaded, .appearing])
      trial.paint()
      XCTAssertEqual(phases.all, [.loaded, .appearing, .visible])
      trial.hide()
      XCTAssertEqual(phases.all.suffix(2), [.disappearing, .loaded])
      trial.show()
      trial.paint()
      XCTAssertEqual(phases.all.suffix(2), [.appearing, .visible])
      trial.close()
      XCTAssertEqual(phases.all.suffix(3), [.disappearing, .loaded, .ended])
    }
  }

  func testAWindowThatIsClosedBeforeItIsPaintedDisappears() {
    withTrial { trial, _, phases in
      trial.show()
      trial.close()
      XCTAssertEqual(phases.all, [.loaded, .appearing, .disappearing, .loaded, .ended])
    }
  }

  func testALifecycleThatIsDrivenLaterIsBroughtUp() {
    withTrial(isDriven: false) { trial, screen, phases in
      trial.show()
      trial.window.drive(screen.lifecycle)
      XCTAssertEqual(phases.all, [.loaded, .appearing])
      trial.paint()
      XCTAssertEqual(phases.all.last, .visible)
      trial.close()
    }
  }

  func testALifecycleThatIsDrivenAfterThePaintIsBroughtUp() {
    withTrial(isDriven: false) { trial, screen, phases in
      trial.show()
      trial.paint()
      trial.window.drive(screen.lifecycle)
      XCTAssertEqual(phases.all, [.loaded, .appearing, .visible])
      trial.close()
    }
  }

  func testAWindowIsThereUntilItsDisappearanceIsDelivered() {
    withTrial { trial, screen, phases in
      screen.lifecycle.observe(\.phase, while: .loaded, of: screen, options: .new) { _, change in
        if change.newValue == .visible { trial.close() }
        if change.newValue == .disappearing || change.newValue == .loaded {
          XCTAssertTrue(trial.isOpen)
        }
      }
      trial.show()
      trial.paint()
      XCTAssertFalse(trial.isOpen)
      XCTAssertEqual(phases.all.suffix(4), [.visible, .disappearing, .loaded, .ended])
    }
  }

  // The size of the content is not known at `map`, and did appear comes too late for it.
  func testTheSizeIsDeliveredWhilePresentedAndNotWhileVisible() {
    withTrial { trial, screen, phases in
      let adjustment = GObjectSource.of(trial.adjustment)
      var sizes: [Lifecycle.Span: [Double]] = [:]
      for span in [Lifecycle.Span.presented, .visible] {
        adjustment.observe(
          \.[GObjectKey<Double>("upper")], while: span, of: screen, options: [.initial, .new]
        ) { _, change in sizes[span, default: []].append((change.newValue ?? nil) ?? -1) }
      }
      trial.show()
      trial.paint()
      XCTAssertEqual(sizes, [.presented: [0, 900], .visible: [900]])
      trial.close()
    }
  }

  @MainActor
  private final class Phases {
    var all: [Lifecycle.Phase] = []
  }

  private func withTrial(
    isDriven: Bool = true, _ test: @MainActor (WindowTrial, Screen, Phases) -> Void
  ) {
    MainActor.assumeIsolated {
      let (trial, screen, phases) = (WindowTrial(), Screen(), Phases())
      let token = screen.lifecycle.observe(\.phase, options: .new) { _, change in
        change.newValue.map { phases.all.append($0) }
      }
      if isDriven { trial.window.drive(screen.lifecycle) }
      test(trial, screen, phases)
      XCTAssertFalse(trial.isOpen)
      withExtendedLifetime(token) {}
    }
  }
}
