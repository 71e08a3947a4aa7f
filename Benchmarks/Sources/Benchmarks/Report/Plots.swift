/// The plots of a report, by the names of their files.
struct Plots {
  let outcomes: [Outcome]

  var files: [(name: String, contents: String)] {
    let figures = Figures(outcomes)
    return [
      ("set-by-observers.svg", set(figures).svg),
      ("register-by-others.svg", register(figures).svg),
      ("path-by-depth.svg", lastKeySet(figures).svg),
      ("rewire-by-depth.svg", topLinkReplaced(figures).svg),
      ("goals.svg", GoalPlot(outcomes: outcomes).svg),
    ]
  }

  private func set(_ figures: Figures) -> LinePlot {
    let counts = [1, 10, 1000, 100_000]
    func series(_ name: String, _ subject: (Int) -> Subject) -> Series {
      Series(name, in: figures, counts.map { (Double($0), subject($0)) })
    }
    return LinePlot(
      title: "One set, by the number of observers",
      axis: .logarithmic("observers", [(1, "1"), (10, "10"), (1000, "1000"), (100_000, "10⁵")]),
      series: [
        series("this library") { $0 == 1 ? OneObserver.observed : ManyObservers.observed(by: $0) },
        series("closures, by hand") {
          $0 == 1 ? OneObserver.closure : ManyObservers.closures($0)
        },
        series("@Observable, re-armed") { ObservationPeer.rearmed(by: $0) },
      ] + PeerSeries.set(figures))
  }

  private func register(_ figures: Figures) -> LinePlot {
    LinePlot(
      title: "Register one observer and end it, by the number of others",
      axis: .even("others", [(0, "none"), (1000, "1000"), (100_000, "10⁵")]),
      series: [
        Series(
          "this library", in: figures,
          [0, 1000, 100_000].map { (Double($0), Registration.registerAndEnd(others: $0)) }),
        Series("append and remove a closure", in: figures, [(0, Registration.appendAndRemove)]),
      ] + PeerSeries.registerAndEnd(figures))
  }

  private func lastKeySet(_ figures: Figures) -> LinePlot {
    LinePlot(
      title: "Set the last key of an observed path", axis: depths,
      series: [
        Series(
          "this library", in: figures,
          KeyPaths.depths.map { (Double($0), KeyPaths.lastKeySet(depth: $0)) })
      ] + PeerSeries.lastKeySet(figures))
  }

  private func topLinkReplaced(_ figures: Figures) -> LinePlot {
    LinePlot(
      title: "Replace the first link of an observed path", axis: depths,
      series: [
        Series(
          "this library", in: figures,
          KeyPaths.depths.map { (Double($0), KeyPaths.linkReplaced(at: 0, depth: $0, "top")) })
      ] + PeerSeries.topLinkReplaced(figures))
  }

  private var depths: Axis {
    .even("depth of the path", KeyPaths.depths.map { (Double($0), "\($0)") })
  }
}
