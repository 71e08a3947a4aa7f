import KeyValueObservingFoundation
import Testing

@Suite("Porting rx.observe")
struct RxObserveTests {
  // guide: rx
  @KeyValueObservable
  final class Device {
    var volume = 0.5
    var modeCode = 0

    enum Mode: Int {
      case silent, loud
    }
  }
  // end

  @Test("P3, P5, P9: rx.observe becomes observe with initial, and distinctUntilChanged an option")
  func observing() throws {
    try expectPrints("rx") {
      // guide: rx
      let device = Device()
      var observations: Set<KeyValueObservation> = []
      device.observe(\.volume, options: [.initial, .new, .distinct]) { _, change in
        print(change.newValue ?? 0)
      }.store(in: &observations)  // prints 0.5
      device.volume = 0.5
      device.volume = 0.8  // prints 0.8

      try device.observe("modeCode", as: Device.Mode.self, options: .new) { _, change in
        print(change.newValueOrNil ?? .silent)
      }.store(in: &observations)
      device.modeCode = 1  // prints loud
      observations.removeAll()
      // end
    }
  }
}
