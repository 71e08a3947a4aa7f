import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private class Sample {
  var whole = 0
  var real = 0.0
  var single: Float = 0
  var byte: UInt8 = 0
  var maybeWhole: Int?
  var maybeReal: Double?
}

@KeyValueObservable
private final class MarkedSample: Sample {
  var mark = ""
}

@KeyValueObservable
private final class Series {
  var samples: [Sample] = []
  var slice: ArraySlice<Sample> = []
  var values: Any?
}

extension AllTests {
  @Suite("Operators over a key of objects")
  struct MemberObjectsTests {
    private let series = Series()

    private static let keys = ["whole", "real", "single", "byte", "maybeWhole", "maybeReal"]

    /// The result, or what is thrown, with the type of the result.
    private func outcome(_ keyPath: String) -> String {
      do {
        guard let value = try series.value(forKeyPath: keyPath) else { return "nil" }
        return "\(type(of: value)) \(value)"
      } catch {
        return String(describing: error).split(separator: ":").last.map(String.init) ?? ""
      }
    }

    private func sample(using random: inout SplitMix) -> Sample {
      let sample = Int.random(in: 0..<3, using: &random) == 0 ? MarkedSample() : Sample()
      sample.whole = [0, 1, -7, 1000, .max, .min].randomElement(using: &random)!
      sample.real = [0, -0.0, 0.1, 1e100, -1e100, .nan, .infinity].randomElement(using: &random)!
      sample.single = [0, 0.1, -3, .nan].randomElement(using: &random)!
      sample.byte = UInt8.random(in: 0...255, using: &random)
      sample.maybeWhole = [nil, 4, -4].randomElement(using: &random)!
      sample.maybeReal = [nil, 0.25, .nan].randomElement(using: &random)!
      return sample
    }

    @Test(
      "P42: an operator over a key of objects has the result that it has over the values",
      arguments: ["@sum", "@avg", "@min", "@max", "@count"], 0..<40 as Range<UInt64>)
    func results(name: String, seed: UInt64) {
      var random = SplitMix(seed: seed)
      series.samples = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        sample(using: &random)
      }
      series.slice = series.samples.dropFirst()
      for key in MemberObjectsTests.keys {
        series.values = series.samples.map { try? $0.value(forKey: key) } as [Any?]
        let expected = outcome("values.\(name).self")
        #expect(outcome("samples.\(name).\(key)") == expected, "\(key), seed \(seed)")
        series.values = series.slice.map { try? $0.value(forKey: key) } as [Any?]
        #expect(
          outcome("slice.\(name).\(key)") == outcome("values.\(name).self"), "\(key), seed \(seed)")
      }
    }

    @Test(
      "P29, P30: each of many elements notifies once, in any order and number, until it is removed",
      arguments: ["@sum", "@max", "@avg"])
    func manyElements(name: String) throws {
      let samples = (0..<50).map { $0 % 7 == 0 ? MarkedSample() : Sample() }
      var count = 0
      var last: Any?
      let token = try series.observe("samples.\(name).whole", options: .new) { _, change in
        count += 1
        last = change.newValue ?? nil
      }
      func notifications(of body: () -> Void) throws -> Int {
        count = 0
        body()
        let value = try series.value(forKeyPath: "samples.\(name).whole")
        if count > 0 { #expect(last as? AnyHashable == value as? AnyHashable) }
        return count
      }
      let versions = [
        samples, samples.reversed(), Array(samples[20...] + samples[..<20]),
        Array(samples[10..<30]), samples + samples[..<5], [samples[3]], [],
        samples.filter { !($0 is MarkedSample) },
      ]
      for version in versions {
        #expect(try notifications { series.samples = version } == 1)
        for (place, sample) in samples.enumerated() {
          let expected = version.contains { $0 === sample } ? 1 : 0
          #expect(try notifications { sample.whole = place } == expected)
        }
      }
      token.invalidate()
      #expect(try notifications { samples[1].whole = 100 } == 0)
    }
  }
}
