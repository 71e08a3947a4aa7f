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

/// How many times the work of a large input takes that of a small one.
///
/// Each is measured five times, and the shortest counts: what interrupts a thread or empties its caches can
/// only add to it.
package func growth(
  from small: Int, to large: Int, measuring time: (_ count: Int) -> Duration
) -> Double {
  func shortest(_ count: Int) -> Duration { (0..<5).map { _ in time(count) }.min() ?? .zero }
  return shortest(large) / shortest(small)
}

private func processorTimeOfThread() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
