import KeyValueObserving
import Testing

@Suite("Porting didSet")
struct DidSetTests {
  // guide: did-set
  @KeyValueObservable
  final class Slider {
    var value = 0.0 {
      didSet { value = min(max(value, 0), 1) }
    }
  }
  // end

  @Test("P4, P8, P10: didSet stays for the class's own work, and others observe what it leaves")
  func clamping() throws {
    try expectPrints("did-set") {
      // guide: did-set
      let slider = Slider()
      let label = slider.onChange(of: \.value) { print("label", $0) }
      let chart = slider.onChange(of: \.value) { print("chart", $0) }
      slider.value = 7
      // prints label 1.0
      // prints chart 1.0
      label.invalidate()
      chart.invalidate()
      // end
    }
  }
}
