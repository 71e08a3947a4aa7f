import KeyValueObserving
import Testing

extension AsyncIteratorProtocol where Failure == Never {
  /// Takes so many elements, fewer if the sequence ends before.
  mutating func take(_ count: Int, isolation: isolated (any Actor)? = #isolation) async -> [Element]
  {
    var taken: [Element] = []
    while taken.count < count, let element = await next(isolation: isolation) {
      taken.append(element)
    }
    return taken
  }

  /// Takes all elements until the sequence ends.
  mutating func takeAll(isolation: isolated (any Actor)? = #isolation) async -> [Element] {
    await take(.max, isolation: isolation)
  }
}

extension AsyncSequence where Failure == Never {
  func first(_ count: Int, isolation: isolated (any Actor)? = #isolation) async -> [Element] {
    var iterator = makeAsyncIterator()
    return await iterator.take(count, isolation: isolation)
  }
}

/// A task of the main actor that iterates a sequence.
///
/// If a test on the main actor sees that it has begun to wait, it does wait: nothing else runs on
/// that actor in between.
@MainActor
final class Consumer<Element: Sendable> {
  private(set) var received: [Element] = []
  /// How often it has asked for an element.
  private(set) var requests = 0
  private(set) var isFinished = false
  private var task: Task<Void, Never>?

  /// Makes the iterator now, and iterates in a task.
  init(of sequence: KeyValueAsyncSequence<Element>) {
    var iterator: KeyValueAsyncSequence<Element>.Iterator? = sequence.makeAsyncIterator()
    task = Task {
      while true {
        requests += 1
        guard let element = await iterator!.next() else { break }
        received.append(element)
      }
      iterator = nil
      isFinished = true
    }
  }

  func cancel() { task?.cancel() }

  /// Waits until it has so many elements and waits for another one.
  func waits(after count: Int) async {
    while received.count < count || requests <= count { await Task.yield() }
  }

  func finished() async { await task?.value }
}
