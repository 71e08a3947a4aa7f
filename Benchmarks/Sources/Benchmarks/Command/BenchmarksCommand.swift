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
      let outcomes = invocation.isJSON ? printJSON(benchmarks) : printTable(benchmarks)
      if let path = invocation.reportFolder { ReportFolder(path: path).write(outcomes) }
    }
  }

  private static func printTable(_ benchmarks: [Benchmark]) -> [Outcome] {
    var table = Table()
    print(table.header)
    let outcomes = benchmarks.map { benchmark in
      let outcome = benchmark.run()
      print(table.row(outcome))
      return outcome
    }
    print(table.footer)
    return outcomes
  }

  private static func printJSON(_ benchmarks: [Benchmark]) -> [Outcome] {
    let outcomes = benchmarks.map { $0.run() }
    print(Report(outcomes).json)
    return outcomes
  }
}
