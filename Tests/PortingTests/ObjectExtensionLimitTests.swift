import Foundation
import KeyValueObservingFoundation
import Testing

/// The guide's statements about such functions that are not disfavored.
@Suite("Extensions of NSObject that hide functions of the library")
struct ObjectExtensionLimitTests {
  @KeyValueObservable
  final class Player: NSObject {
    var rate = 0.0
    @KeyValueIgnored private var storedVolume = 0.0

    var volume: Double {
      get { storedVolume }
      set {
        willChangeValue(forKey: "volume")
        storedVolume = newValue
        didChangeValue(forKey: "volume")
      }
    }

    var gain: Double {
      get { storedVolume }
      set { withMutation(of: \.gain) { storedVolume = newValue } }
    }
  }

  @Test("P19: a function of NSObject with the name of one of ours is called in its place")
  func hidden() {
    let player = Player()
    var history: [String] = []
    let tokens = [
      player.observe(\.rate) { _, _ in history.append("rate") },
      player.observe(\.volume) { _, _ in history.append("volume") },
      player.observe(\.gain) { _, _ in history.append("gain") },
    ]
    player.rate = 1
    player.volume = 1
    player.gain = 1
    #expect(history == ["rate", "gain"])
    #expect(player.value(forKey: "rate") as? String == "stub")
    withExtendedLifetime(tokens) {}
  }
}

extension NSObject {
  fileprivate func willChangeValue(forKey key: String) {}

  fileprivate func didChangeValue(forKey key: String) {}

  fileprivate func value(forKey key: String) -> Any? { "stub" }
}
