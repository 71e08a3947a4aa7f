// How a user tests a model that is observed: the example of the documentation.
import KeyValueObserving
import KeyValueObservingTesting
import Testing

@KeyValueObservable
final class Basket {
  var items: [String] = []
  var voucher: Voucher?
  var isEmpty: Bool { items.isEmpty }
}

@KeyValueObservable
final class Voucher {
  var code = ""
}

/// Shows how many items there are, for as long as it is on screen.
final class Badge {
  private(set) var text = ""
  private var tokens: Set<KeyValueObservation> = []

  func appear(for basket: Basket) {
    basket.onChange(of: \.items) { [unowned self] in text = "\($0.count)" }.store(in: &tokens)
  }

  func disappear() { tokens.removeAll() }
}

@Suite("Basket")
struct ShoppingTests {
  private let basket = Basket()

  @Test("filling the basket changes whether it is empty, once for each item")
  func isEmpty() {
    expectChanges(
      of: \.isEmpty, on: basket,
      [.setting(from: true, to: false), .setting(from: false, to: false)]
    ) {
      basket.items.append("bread")
      basket.items.append("wine")
    }
  }

  @Test("the code follows the voucher")
  func code() {
    let recorder = KeyValueChangeRecorder()
    recorder.observe(\.voucher?.code, of: basket, as: "code")
    recorder.observe(\.items, of: basket, options: .new, as: "items")
    basket.voucher = Voucher()
    basket.voucher?.code = "SPRING"
    basket.mutableArrayValue(for: \.items).append("bread")
    recorder.expect([
      .init("code", .setting(from: nil, to: "", reason: .pathChanged)),
      .init("code", .setting(from: "", to: "SPRING")),
      .init("items", .insertion(of: ["bread"], at: .places(0))),
    ])
  }

  @Test("a badge that has disappeared observes nothing")
  func badge() {
    let badge = Badge()
    expectNoLiveObservations {
      badge.appear(for: basket)
      basket.items = ["bread", "wine"]
      badge.disappear()
    }
    #expect(badge.text == "2")
  }

  @Test("a badge observes the basket without an error")
  func errors() {
    let badge = Badge()
    expectNoDiagnostics {
      badge.appear(for: basket)
      basket.items.append("bread")
    }
    #expect(badge.text == "1")
  }

  @Test("a basket conforms to the guarantees", arguments: KeyValueConformanceCheck.all)
  func conformance(check: KeyValueConformanceCheck) {
    check.expect(
      of: KeyValueConformanceSource(key: "items", values: (["a"], ["b"], ["a", "b"])) { Basket() })
  }
}
