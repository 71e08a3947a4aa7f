/// Benchmarks of one concern.
protocol Suite {
  static var title: String { get }
  static var benchmarks: [Benchmark] { get }
}
