#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The processor time that `body` takes on this thread, whatever other threads and processes do meanwhile.
package func processorTime(of body: () -> Void) -> Duration {
  let start = processorTimeOfThread()
  body()
  return processorTimeOfThread() - start
}

/// How many times as long an element among `count` takes as one among a hundredth of them: once if the time grows
/// with the elements, a hundred times if it grows with the square of their number.
///
/// A large input that leaves the caches of the processor, which other processes use as well, makes it four
/// times, so tests expect less than ten. Each is measured five times, and the shortest counts.
package func slowdown(at count: Int, measuring time: (_ count: Int) -> Duration) -> Double {
  func timeOfElement(among count: Int) -> Double {
    let times = (0..<5).map { _ in time(count) }
    return (times.min() ?? .zero) / .nanoseconds(count)
  }
  return timeOfElement(among: count) / timeOfElement(among: count / 100)
}

private func processorTimeOfThread() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
