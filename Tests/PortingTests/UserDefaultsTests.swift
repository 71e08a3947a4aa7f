import Foundation
import KeyValueObservingFoundation
import Testing

// guide: defaults
extension ObservableUserDefaults {
  var theme: String? {
    get { self["theme"] }
    set { self["theme"] = newValue }
  }
}
// end

@Suite("Porting observers of user defaults")
struct UserDefaultsTests {
  // guide: defaults
  final class Appearance: NSKeyValueObserving {
    init(_ defaults: ObservableUserDefaults = .standard) {
      defaults.addObserver(self, forKeyPath: "theme", options: [.initial, .new])
    }

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      print("observer", change?[.newKey] as? String ?? "none")
    }
  }
  // end

  @Test("P3, P8: user defaults notify a classic observer and a closure of a key")
  func observing() throws {
    try expectPrints("defaults") {
      // guide: defaults
      let defaults = ObservableUserDefaults(suiteName: "com.example.player")!
      let appearance = Appearance(defaults)  // prints observer none
      let observation = defaults.observe(\.theme, options: [.old, .new]) { _, change in
        print(change.oldValue! ?? "none", "→", change.newValue! ?? "none")
      }
      defaults.theme = "dark"
      // prints observer dark
      // prints none → dark
      defaults.set("light", forKey: "theme")
      // prints observer light
      // prints dark → light
      observation.invalidate()
      // end
      Transcript.$current.withValue(nil) { defaults.theme = nil }
      withExtendedLifetime(appearance) {}
    }
  }
}
