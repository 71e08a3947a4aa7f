import KeyValueObservingTesting
import LifecycleObserving
import UIKit
import XCTest

@testable import AppleAdapters

@MainActor
final class UIViewControllerTests: XCTestCase {
  func testEveryMomentOfTheViewIsDeliveredInOrder() async {
    let document = Document()
    let (window, reader) = (UIWindow(), Reader(document))
    window.rootViewController = reader
    window.makeKeyAndVisible()
    XCTAssertEqual(reader.log.take(), ["did load", "title a", "will appear", "did appear"])
    window.hide()
    XCTAssertEqual(reader.log.take(), ["will disappear", "did disappear"])
    window.makeKeyAndVisible()
    XCTAssertEqual(reader.log.take(), ["title a", "will appear", "did appear"])
    withExtendedLifetime(document) {}
  }

  func testAnObservationLastsAsLongAsTheControllerIsPresented() async {
    let document = Document()
    let (navigation, reader) = (
      UINavigationController(rootViewController: UIViewController()), Reader(document)
    )
    let window = UIWindow()
    window.rootViewController = navigation
    window.makeKeyAndVisible()
    navigation.pushViewController(reader, animated: true)
    document.title = "b"
    XCTAssertEqual(reader.header, "b")
    navigation.pushViewController(UIViewController(), animated: true)
    document.title = "c"
    XCTAssertEqual(reader.header, "b")
    navigation.popViewController(animated: true)
    XCTAssertEqual(reader.header, "c")
    withExtendedLifetime(window) {}
  }

  func testAPopThatIsCancelledBeginsAnotherStay() async {
    let document = Document()
    let (navigation, reader) = (
      UINavigationController(rootViewController: UIViewController()), Reader(document)
    )
    let window = UIWindow()
    window.rootViewController = navigation
    window.makeKeyAndVisible()
    navigation.pushViewController(reader, animated: true)
    _ = reader.log.take()
    navigation.beginInteractivePop()
    document.title = "b"
    XCTAssertEqual(reader.log.take(), ["will disappear"])
    navigation.cancelInteractivePop()
    document.title = "c"
    XCTAssertEqual(reader.log.take(), ["title b", "will appear", "did appear", "title c"])
    navigation.beginInteractivePop()
    navigation.finishInteractivePop()
    XCTAssertEqual(reader.log.take(), ["will disappear", "did disappear"])
    withExtendedLifetime(window) {}
  }

  func testAnAppearanceThatIsCancelledHasNoDidAppear() async {
    let log = Log()
    let (below, top) = (UIViewController(), UIViewController())
    let (navigation, window) = (UINavigationController(rootViewController: below), UIWindow())
    window.rootViewController = navigation
    window.makeKeyAndVisible()
    below.addLifecycleObserver(log)
    navigation.pushViewController(top, animated: true)
    _ = log.take()
    navigation.beginInteractivePop()
    navigation.cancelInteractivePop()
    XCTAssertEqual(log.take(), ["will appear", "will disappear", "did disappear"])
    XCTAssertEqual(below.lifecycle.phase, .loaded)
    withExtendedLifetime(window) {}
  }

  func testAnObserverThatIsAddedLateIsBroughtUp() async {
    let (window, controller, log) = (UIWindow(), UIViewController(), Log())
    window.rootViewController = controller
    window.makeKeyAndVisible()
    controller.addLifecycleObserver(log)
    XCTAssertEqual(log.take(), ["did load", "will appear", "did appear"])
    controller.addLifecycleObserver(log)
    XCTAssertEqual(log.take(), [])
    XCTAssertObservableAttached(on: controller, observableType: Log.self)
    XCTAssertEqual(controller.children.count, 1)
    withExtendedLifetime(window) {}
  }

  func testAnObserverThatIsAddedInWillAppearReceivesEachMomentOnce() async {
    final class Late: UIViewController {
      let log = Log()
      override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        addLifecycleObserver(log)
      }
    }
    let (window, controller) = (UIWindow(), Late())
    window.rootViewController = controller
    window.makeKeyAndVisible()
    XCTAssertEqual(controller.log.take(), ["did load", "will appear", "did appear"])
    window.hide()
    XCTAssertEqual(controller.log.take(), ["will disappear", "did disappear"])
  }

  func testAControllerThatLoadsItsViewTwiceKeepsItsLifecycle() async {
    let (window, controller, log) = (UIWindow(), UIViewController(), Log())
    window.rootViewController = controller
    window.makeKeyAndVisible()
    controller.addLifecycleObserver(log)
    window.hide()
    _ = log.take()
    controller.view = nil
    let lifecycle = controller.lifecycle
    controller.addLifecycleObserver(log)
    window.makeKeyAndVisible()
    XCTAssertEqual(log.take(), ["will appear", "did appear"])
    XCTAssertTrue(controller.lifecycle === lifecycle)
    XCTAssertEqual(controller.children.count, 1)
    withExtendedLifetime(window) {}
  }

  func testTheFollowerIsNotifiedOfItsMove() async {
    let (early, late) = (Reader(Document()), UIViewController())
    // One is added while the view is loaded, the other one afterwards.
    _ = (early.lifecycle, late.view, late.lifecycle)
    for controller in [early, late] {
      XCTAssertEqual(controller.children.map(\.isMovingToParent), [false])
    }
  }

  func testADisappearanceWithoutAnAppearanceIsNone() async {
    let (controller, log) = (UIViewController(), Log())
    controller.addLifecycleObserver(log)
    controller.children.first?.viewWillDisappear(false)
    controller.children.first?.viewDidDisappear(false)
    XCTAssertEqual(log.take(), ["did load"])
  }

  func testChildControllersHaveLifecyclesOfTheirOwn() async {
    let (window, parent, child, log) = (UIWindow(), UIViewController(), UIViewController(), Log())
    parent.addChild(child)
    parent.view.addSubview(child.view)
    child.didMove(toParent: parent)
    child.addLifecycleObserver(log)
    window.rootViewController = parent
    window.makeKeyAndVisible()
    XCTAssertEqual(log.take(), ["did load", "will appear", "did appear"])
    child.willMove(toParent: nil)
    child.view.removeFromSuperview()
    child.removeFromParent()
    XCTAssertEqual(log.take(), ["will disappear", "did disappear"])
    XCTAssertEqual(child.lifecycle.phase, .loaded)
    withExtendedLifetime(window) {}
  }

  func testRemovingTheFollowerEndsTheLifecycle() async {
    let (window, controller, log) = (UIWindow(), UIViewController(), Log())
    window.rootViewController = controller
    window.makeKeyAndVisible()
    controller.addLifecycleObserver(log)
    let lifecycle = controller.lifecycle
    for child in controller.children {
      child.willMove(toParent: nil)
      child.view.removeFromSuperview()
      child.removeFromParent()
    }
    XCTAssertEqual(log.take().suffix(2), ["will disappear", "did disappear"])
    XCTAssertEqual(lifecycle.phase, .ended)
    withExtendedLifetime(window) {}
  }

  func testNothingIsLeftOfAControllerThatGoesAway() async {
    weak var released: Reader?
    let document = Document()
    expectNoLiveObservations {
      let navigation = UINavigationController(rootViewController: UIViewController())
      let window = UIWindow()
      window.rootViewController = navigation
      window.makeKeyAndVisible()
      do {
        let reader = Reader(document)
        released = reader
        navigation.pushViewController(reader, animated: true)
        document.title = "b"
      }
      XCTAssertNotNil(released)
      navigation.popViewController(animated: true)
      withExtendedLifetime(window) {}
    }
    XCTAssertNil(released)
  }
}
