import Foundation
import KeyValueObserving
import TestSupport
import Testing

/// Threads that register, end and report at the same time.
@Suite("Sources")
struct SourceTests {
  private let settings = Settings.fromEnvironment

  @Test(
    "P71, P38: whatever threads do, a source is notified in turns, and last of what is the case")
  func turns() async throws {
    let census = Census()
    do {
      let sources = (0..<4).map { _ in StressSource(in: census) }
      let holder = StressHolder()
      let bodies = (0..<settings.threads).map { thread -> @Sendable () -> Void in
        { [settings] in
          var worker = SourceWorker(sources, holder, seed: settings.seed &+ UInt64(thread))
          for _ in 0..<settings.operations / 10 { worker.work() }
        }
      }
      let areDone = await Crew.run(within: 600, bodies)
      try #require(areDone, "seed \(settings.seed): threads wait for each other")
      holder.source = nil
      for source in sources {
        source.change(peer: nil)
        let (count, faults) = source.summary()
        #expect(faults == [], "seed \(settings.seed)")
        #expect(count > 0)
      }
    }
    // A thread that is done keeps what it has run a moment longer.
    let end = Date() + 60
    while census.living(.node) > 0, Date() < end { await Task.yield() }
    #expect(census.living(.node) == 0)
  }
}

/// One thread, with the observations that it has begun.
private struct SourceWorker {
  private let sources: [StressSource]
  private let holder: StressHolder
  private var random: SplitMix
  private var tokens: [KeyValueObservation] = []

  init(_ sources: [StressSource], _ holder: StressHolder, seed: UInt64) {
    self.sources = sources
    self.holder = holder
    random = SplitMix(seed: seed)
  }

  mutating func work() {
    let source = sources[random.below(sources.count)]
    // Few, so that keys come to be observed, and cease to be, all the time.
    if tokens.count > 2 { tokens.remove(at: random.below(tokens.count)).invalidate() }
    switch random.below(12) {
    case 0: tokens.append(try! source.observe("value", isolation: nil) { _, _ in })
    case 1:
      tokens.append(
        try! source.observe("peer.value", options: [.old, .new], isolation: nil) { _, _ in })
    case 2: tokens.append(holder.observe(\.product, options: .old, isolation: nil) { _, _ in })
    case 3:
      tokens.append(
        holder.observe(\.source?.value, options: [.initial, .old], isolation: nil) { _, _ in })
    case 4: source.change(to: random.below(100))
    case 5: try? source.setValue(random.below(100), forKey: "value")
    case 6: source.change(peer: random.chance(20) ? nil : sources[random.below(sources.count)])
    case 7: holder.source = random.chance(20) ? nil : source
    default:
      if !tokens.isEmpty { tokens.remove(at: random.below(tokens.count)).invalidate() }
    }
  }
}
