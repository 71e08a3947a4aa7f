import KeyValueObservingFoundation
import Testing

@Suite("Porting addObserver and observeValue with a context")
struct ClassicObserverTests {
  @KeyValueObservable
  final class Player {
    var rate = 0.0
  }

  // guide: classic
  final class Controls: NSKeyValueObserving {
    nonisolated(unsafe) private static var rateContext = 0
    private let player: Player

    init(_ player: Player) {
      self.player = player
      player.addObserver(
        self, forKeyPath: "rate", options: .new, context: &Self.rateContext)
    }

    deinit {
      player.removeObserver(self, forKeyPath: "rate", context: &Self.rateContext)
    }

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      guard context == &Self.rateContext else { return }
      print(change?[.newKey] as? Double ?? 0)
    }
  }
  // end

  @Test("P4, P5: observeValue with a context is called for what it was added to, until its end")
  func observing() throws {
    try expectPrints("classic") {
      // guide: classic
      let player = Player()
      do {
        let controls = Controls(player)
        player.rate = 1  // prints 1.0
        withExtendedLifetime(controls) {}
      }
      player.rate = 0
      // end
    }
  }

  class Panel: NSKeyValueObserving {
    nonisolated(unsafe) private static let context = UnsafeMutableRawPointer.allocate(
      byteCount: 1, alignment: 1)
    var history: [String] = []

    init(_ player: Player) {
      player.addObserver(self, forKeyPath: "rate", options: .initial, context: Self.context)
    }

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      if context == Self.context { history.append("panel") }
    }
  }

  final class WidePanel: Panel {
    nonisolated(unsafe) private static let wideContext = UnsafeMutableRawPointer.allocate(
      byteCount: 1, alignment: 1)

    override init(_ player: Player) {
      super.init(player)
      player.addObserver(self, forKeyPath: "rate", options: .initial, context: Self.wideContext)
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      guard context == Self.wideContext else {
        return super.observeValue(
          forKeyPath: keyPath, of: object, change: change, context: context)
      }
      history.append("wide panel")
    }
  }

  @Test("P1, P4: a context distinguishes a class from its superclass, from the first change on")
  func superclass() {
    let player = Player()
    let panel = WidePanel(player)
    player.rate = 1
    #expect(panel.history == ["panel", "wide panel", "panel", "wide panel"])
  }
}
