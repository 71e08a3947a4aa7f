import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Extensions of NSObject that stand in for Cocoa's functions")
struct ObjectExtensionTests {
  // guide: extension
  @KeyValueObservable
  final class Player: NSObject {
    @KeyValueIgnored private var storedRate = 0.0

    var rate: Double {
      get { storedRate }
      set {
        willChangeValue(forKey: "rate")
        storedRate = newValue
        didChangeValue(forKey: "rate")
      }
    }
  }
  // end

  @Test("P19: a disfavored function of NSObject does not hide that of an observable class")
  func disfavored() throws {
    try expectPrints("extension") {
      // guide: extension
      let player = Player()
      let observation = player.observe(\.rate, options: .new) { _, change in
        print("observer", change.newValue ?? 0)
      }
      player.rate = 1  // prints observer 1.0
      observation.invalidate()
      // end
    }
  }
}

// guide: extension
extension NSObject {
  @_disfavoredOverload
  fileprivate func willChangeValue(forKey key: String) {}

  @_disfavoredOverload
  fileprivate func didChangeValue(forKey key: String) {}
}
// end
