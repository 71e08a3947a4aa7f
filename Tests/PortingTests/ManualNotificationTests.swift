import KeyValueObserving
import Testing

@Suite("Porting notification by hand")
struct ManualNotificationTests {
  // guide: by-hand
  @KeyValueObservable
  final class Library {
    @KeyValueIgnored private var shelf: [String] = []

    var count: Int { shelf.count }

    func add(_ titles: [String]) {
      withMutation(of: \.count) { shelf += titles }
    }
  }
  // end

  @Test("P19: willChangeValue and didChangeValue become one scope")
  func scope() throws {
    try expectPrints("by-hand") {
      // guide: by-hand
      let library = Library()
      let observation = library.observe(\.count, options: [.old, .new]) { _, change in
        print(change.oldValue ?? 0, "→", change.newValue ?? 0)
      }
      library.add(["Emma", "Persuasion"])  // prints 0 → 2
      observation.invalidate()
      // end
    }
  }

  // guide: automatic
  @KeyValueObservable
  final class Thermometer {
    var degrees = 0.0

    static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
      key != "degrees"
    }

    func record(_ reading: Double) {
      if abs(reading - degrees) < 0.5 { return }
      withMutation(of: \.degrees) { degrees = reading }
    }
  }
  // end

  @Test("P20: automaticallyNotifiesObservers(forKey:) leaves the word to the class")
  func automatic() throws {
    try expectPrints("automatic") {
      // guide: automatic
      let thermometer = Thermometer()
      let observation = thermometer.onChange(of: \.degrees) { print($0) }
      thermometer.record(20)  // prints 20.0
      thermometer.record(20.3)
      thermometer.degrees = 5
      observation.invalidate()
      // end
    }
  }
}
