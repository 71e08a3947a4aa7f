import KeyValueObserving
import Testing

@KeyValueObservable
private final class Player {
  var rate = 1
  weak var next: Player?
  var partner: Player?
  var nextRate: Int { next?.rate ?? -1 }
  @KeyValueIgnored private let setsAtEnd: Bool

  init(setsAtEnd: Bool = false) { self.setsAtEnd = setsAtEnd }

  deinit {
    if setsAtEnd {
      rate = 0
      partner = nil
    }
  }
}

@KeyValueObservable
private final class Meter {
  var count = 0
}

@KeyValueObservable
private final class Display {
  var title = "a"
  @KeyValueIgnored let meter: Meter
  @KeyValueIgnored var whenRead: () -> Void = {}
  var text: String {
    whenRead()
    return "\(meter.count)"
  }

  init(of meter: Meter) { self.meter = meter }
}

extension AllTests {
  /// Sets of an object in its `deinit`, when it cannot be reached any more.
  @Suite("Sets in a deinit")
  struct DeinitTests {
    private let recorder = Recorder()
    private let list = Player()

    @Test(
      "P24, P27: a path through a weak link does not deliver what its target sets in its deinit")
    func weakLink() throws {
      let options: KeyValueObservation.Options = [.old, .new, .prior]
      let tokens = [
        list.observe(\.next?.rate, options: options, changeHandler: recorder.receives("typed")),
        try list.observe("next.rate", options: .new, changeHandler: recorder.receives("string")),
        list.observe(
          \.nextRate, options: [.old, .new], changeHandler: recorder.receives("computed")),
        list.observe(
          \.next?.partner?.rate, options: .new, changeHandler: recorder.receives("through")),
      ]
      do {
        let player = Player(setsAtEnd: true)
        player.partner = Player()
        list.next = player
        withExtendedLifetime(player) { _ = recorder.take() }
      }
      #expect(
        recorder.take() == [
          "typed 1→nil path", "string →nil path", "through →nil path", "computed 1→-1",
        ])
      withExtendedLifetime((tokens, list)) {}
    }

    @Test("P25, P26: nor does a path whose link was replaced, which is one change")
    func replacedLink() {
      list.partner = Player(setsAtEnd: true)
      let token = list.observe(
        \.partner?.rate, options: [.old, .new], changeHandler: recorder.receives("·"))
      list.partner?.rate = 2
      list.partner = Player()
      list.partner = nil
      #expect(recorder.take() == ["· 1→2", "· 2→1 path", "· 1→nil path"])
      withExtendedLifetime(token) {}
    }

    @Test("P8: observers of the property itself are notified")
    func directObserver() {
      var token: KeyValueObservation?
      do {
        let player = Player(setsAtEnd: true)
        token = player.observe(\.rate, options: .new, changeHandler: recorder.receives("rate"))
      }
      #expect(recorder.take() == ["rate →0"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P38: a getter that is evaluated after a mutation block releases an object whose key is to be evaluated, too"
    )
    func releasedInGetter() {
      let meter = Meter()
      let first = Display(of: meter)
      var second: Display? = Display(of: meter)
      weak let observed = second
      var tokens = [meter.observe(\.count) { _, _ in }]
      var secondTokens: [KeyValueObservation] = []
      meter.withMutation(of: \.count) {
        tokens.append(first.observe(\.text) { _, _ in })
        // The key of its text is not its first observed key, which is kept with the object.
        secondTokens = [
          second!.observe(\.title) { _, _ in }, second!.observe(\.text) { _, _ in },
        ]
        first.whenRead = {
          second = nil
          secondTokens = []
        }
      }
      #expect(observed == nil)
      withExtendedLifetime((tokens, secondTokens)) {}
    }
  }
}
