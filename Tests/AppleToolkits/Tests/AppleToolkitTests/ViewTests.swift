import KeyValueObservingTesting
import LifecycleObserving
import SwiftUI
import XCTest

@testable import AppleAdapters

@MainActor
final class ViewTests: XCTestCase {
  func testTheClosuresOfAnObserverAreCalledWithTheView() async {
    let log = Log()
    let view = Text("a").addLifecycleObserver(
      ViewLifecycleObservable(
        onAppear: { log.write("appears") }, onDisappear: { log.write("disappears") }))
    let host = ViewHost(view)
    host.show()
    host.hide()
    XCTAssertEqual(log.take(), ["appears", "disappears"])
  }

  func testAnOwnerInTheStateOfAViewMovesWithIt() async {
    let (owner, log, document) = (LifecycleController(), Log(), Document())
    owner.addLifecycleObserver(log)
    document.observe(\.title, while: .presented, of: owner, options: [.initial, .new]) {
      _, change in log.write("title \(change.newValue ?? "")")
    }
    let host = ViewHost(Text("a").addLifecycleObserver(ViewLifecycleObservable(owner)))
    host.show()
    host.hide()
    document.title = "b"
    host.show()
    XCTAssertEqual(
      log.take(),
      [
        "did load", "title a", "will appear", "did appear", "will disappear", "did disappear",
        "title b", "will appear", "did appear",
      ])
  }
}
