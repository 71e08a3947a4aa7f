import AppKit
import KeyValueObservingTesting
import LifecycleObserving
import XCTest

@testable import AppleAdapters

@MainActor
final class NSViewControllerTests: XCTestCase {
  func testEveryMomentOfTheViewIsDeliveredInOrder() async {
    let (window, controller, log) = (NSWindow(), NSViewController(), Log())
    window.contentViewController = controller
    controller.addLifecycleObserver(log)
    XCTAssertEqual(log.take(), ["did load"])
    window.makeKeyAndOrderFront(nil)
    XCTAssertEqual(log.take(), ["will appear", "did appear"])
    window.orderOut(nil)
    XCTAssertEqual(log.take(), ["will disappear", "did disappear"])
  }

  func testAnObserverThatIsAddedLateIsBroughtUp() async {
    let (window, controller, log) = (NSWindow(), NSViewController(), Log())
    window.contentViewController = controller
    window.makeKeyAndOrderFront(nil)
    controller.addLifecycleObserver(log)
    controller.addLifecycleObserver(log)
    XCTAssertEqual(log.take(), ["did load", "will appear", "did appear"])
    expectLifecycleObserver(Log.self, attachedTo: controller)
    withExtendedLifetime(window) {}
  }

  func testAnObservationLastsAsLongAsTheViewIsOnScreen() async {
    let (window, controller, log) = (NSWindow(), NSViewController(), Log())
    let document = Document()
    window.contentViewController = controller
    document.observe(\.title, while: .onScreen, of: controller, options: [.initial, .new]) {
      _, change in log.write(change.newValue ?? "")
    }
    window.makeKeyAndOrderFront(nil)
    document.title = "b"
    window.orderOut(nil)
    document.title = "c"
    XCTAssertEqual(log.take(), ["a", "b"])
  }

  func testNothingIsLeftOfAControllerThatGoesAway() async {
    weak var released: NSViewController?
    let (document, log) = (Document(), Log())
    expectNoLiveObservations {
      let (window, controller) = (NSWindow(), NSViewController())
      released = controller
      window.contentViewController = controller
      document.observe(\.title, while: .loaded, of: controller) { _, _ in log.write("title") }
      window.makeKeyAndOrderFront(nil)
      document.title = "b"
      withExtendedLifetime((window, controller)) {}
    }
    XCTAssertNil(released)
    XCTAssertEqual(log.take(), ["title"])
  }
}
