import KeyValueObservingFoundation
import TestSupport
import Testing

extension UserDefaultsTests {
  @Test("P5: instances of a suite are made, and forgotten when they are gone, in linear time")
  func linearTimeOfInstances() {
    func time(_ count: Int) -> Duration {
      processorTime {
        var instances: [ObservableUserDefaults?] = []
        for _ in 0..<count { instances.append(ObservableUserDefaults(suiteName: suite.name)) }
        instances = []
        for _ in 0..<count { _ = ObservableUserDefaults(suiteName: suite.name) }
      }
    }
    #expect(slowdown(at: 4000, measuring: time) < 10)
  }
}
