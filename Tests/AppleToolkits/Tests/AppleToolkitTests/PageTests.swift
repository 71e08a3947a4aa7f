import LifecycleObserving
import SwiftUI
import UIKit
import XCTest

@testable import AppleAdapters

/// A controller as the page on lifecycles declares it.
private final class TitleController: UIViewController {
  private let document: Document
  let screenLog = Log()
  private(set) var header = ""

  init(_ document: Document) {
    self.document = document
    super.init()
  }

  // guide: uikit
  override func viewDidLoad() {
    super.viewDidLoad()
    document.observe(\.title, while: .presented, of: self, options: [.initial, .new]) {
      controller, change in controller.header = change.newValue ?? ""
    }
    addLifecycleObserver(screenLog)
  }
  // end
}

@MainActor
final class PageTests: XCTestCase {
  func testAControllerHasTheTitleOfItsDocumentWhileItIsPresented() async {
    let document = Document()
    let (window, controller) = (UIWindow(), TitleController(document))
    window.rootViewController = controller
    window.makeKeyAndVisible()
    document.title = "b"
    window.hide()
    document.title = "c"
    XCTAssertEqual(controller.header, "b")
    XCTAssertEqual(controller.screenLog.take().count, 5)
  }

  func testAnOwnerMovesWithAView() async {
    // guide: swiftui
    let owner = LifecycleController()
    let view = Text("Title").addLifecycleObserver(ViewLifecycleObservable(owner))
    // end
    ViewHost(view).show()
    XCTAssertEqual(owner.lifecycle.phase, .visible)
  }
}
