import KeyValueObservingTesting
import LifecycleObserving
import Testing

private final class ScreenLog: LifecycleObserver {}

@Suite("Lifecycles: the kit for tests")
struct KitTests {
  @Test("An observer that is attached once passes, in both spellings")
  func attached() {
    let screen = Screen()
    screen.addLifecycleObserver(ScreenLog())
    screen.addLifecycleObserver(LifecycleEventLog())
    expectLifecycleObserver(ScreenLog.self, attachedTo: screen)
    XCTAssertObservableAttached(on: screen, observableType: LifecycleEventLog.self)
  }

  @Test("An observer that is missing fails with the observers that are there")
  func missing() {
    let screen = Screen()
    withKnownIssue {
      expectLifecycleObserver(ScreenLog.self, attachedTo: screen)
    } matching: {
      $0.comments.map(\.rawValue) == [
        "No ScreenLog is attached to Screen. It has no observers. Call addLifecycleObserver(_:) on it."
      ]
    }
    screen.addLifecycleObserver(LifecycleEventLog())
    withKnownIssue {
      XCTAssertObservableAttached(on: screen, observableType: ScreenLog.self)
    } matching: {
      $0.comments.map(\.rawValue) == [
        "No ScreenLog is attached to Screen. Its observers are: LifecycleEventLog. Call "
          + "addLifecycleObserver(_:) on it."
      ]
    }
  }

  @Test("Two observers of one class fail in words, and one that was removed does not count")
  func several() {
    let (screen, second) = (Screen(), ScreenLog())
    screen.addLifecycleObserver(ScreenLog())
    screen.addLifecycleObserver(second)
    withKnownIssue {
      expectLifecycleObserver(ScreenLog.self, attachedTo: screen)
    } matching: {
      $0.comments.map(\.rawValue) == [
        "2 observers of the class ScreenLog are attached to Screen, not one. Its observers are: "
          + "ScreenLog, ScreenLog. Add a single one, or check for a more special class."
      ]
    }
    screen.removeLifecycleObserver(second)
    expectLifecycleObserver(ScreenLog.self, attachedTo: screen)
  }
}
