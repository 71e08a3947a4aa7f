import Testing

@testable import KvoCommand

@Suite struct SaveDetectorTests {
  private let start = ContinuousClock.now

  @Test func `A file is read until it has rested, and then left alone`() {
    var detector = SaveDetector<Int>()
    let advice = [0, 50, 100, 150, 200, 900].map { detector.look(at: 1, now: at($0)) }
    #expect(advice == [.read, .read, .read, .readAtRest, .nothing, .nothing])
  }

  @Test func `A file that is written again has to rest again`() {
    var detector = SaveDetector<Int>()
    let looks = [(1, 0), (2, 100), (2, 200), (3, 240), (3, 300), (3, 400)]
    #expect(
      looks.map { detector.look(at: $0.0, now: at($0.1)) }
        == [.read, .read, .read, .read, .read, .readAtRest])
  }

  @Test func `A missing file is a problem only once it stays away`() {
    var detector = SaveDetector<Int>()
    let looks: [(Int?, Int)] = [(1, 0), (1, 200), (nil, 250), (2, 300), (nil, 350), (nil, 500)]
    #expect(
      looks.map { detector.look(at: $0.0, now: at($0.1)) }
        == [.read, .readAtRest, .read, .read, .read, .readAtRest])
  }

  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }
}
