/// Measures the library and prints a table.
@main
struct BenchmarksCommand {
  static func main() {
    do {
      try run(Invocation(Array(CommandLine.arguments.dropFirst())))
    } catch {
      fail(error.message, status: 64)
    }
  }

  private static func run(_ invocation: Invocation) throws(InvocationError) {
    switch invocation.action {
    case .help: print(help)
    case .list: for name in Catalog.subjects.map(\.name) { print(name) }
    case .instructions(let name, let passes):
      try CountedRun(name: name, passes: passes).run()
    case .measure:
      let benchmarks = Catalog.benchmarks(containing: invocation.filter)
      if benchmarks.isEmpty { throw InvocationError("no row contains “\(invocation.filter)”") }
      invocation.isJSON ? printJSON(benchmarks) : printTable(benchmarks)
    }
  }

  private static func printTable(_ benchmarks: [Benchmark]) {
    var table = Table()
    print(table.header)
    for benchmark in benchmarks { print(table.row(benchmark.run())) }
    print(table.footer)
  }

  private static func printJSON(_ benchmarks: [Benchmark]) {
    print(Report(benchmarks.map { $0.run() }).json)
  }
}
