import Foundation
import KeyValueObservingFoundation
import Testing

/// The extension that porting leaves on `NSObject`, so that classes that are not annotated compile.
extension NSObject {
  @_disfavoredOverload
  fileprivate func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    Issue.record("The function of NSObject hides that of an observable class.")
  }
}

@KeyValueObservable
private final class Track: NSObject {
  var title = ""
}

private final class Screen: NSObject, NSKeyValueObserving {
  var titles: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    titles.append(change?[.newKey] as? String ?? "")
  }
}

@Suite("Classic observers beside extensions of NSObject")
struct ClassicExtensionTests {
  @Test("P8: a disfavored addObserver of NSObject does not hide that of an observable class")
  func disfavored() {
    let track = Track()
    let screen = Screen()
    track.addObserver(screen, forKeyPath: "title", options: .new, context: nil)
    track.title = "Intro"
    #expect(screen.titles == ["Intro"])
    track.removeObserver(screen, forKeyPath: "title", context: nil)
  }
}
