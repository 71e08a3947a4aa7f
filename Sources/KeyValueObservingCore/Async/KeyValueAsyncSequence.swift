/// The values or changes of an observed property, as they come, for tasks to wait for.
///
/// `values(of:)` and `changes(of:)` of an observable object return it. It is registered when it is
/// made, and what comes from then on waits in a buffer, so nothing is lost before the first `next()`
/// (P41). It ends, after what waits was taken, when the object dies (P33). The observation lasts
/// until the sequence and its iterators are deinitialized; it retains no object (P5).
///
/// Each iterator receives every element, unlike those of an `AsyncStream`, which share them. The
/// first one begins with what has come since the sequence was made. A later one of `values(of:)`
/// begins with the value that came last, a later one of `changes(of:)` with the next change. Each
/// has a buffer of its own, with the same policy:
///
/// | Policy | A consumer that is slower than the changes receives |
/// | --- | --- |
/// | `unbounded` | every element |
/// | `bufferingNewest(n)` | gaps, and the last *n* elements: always the last one |
/// | `bufferingOldest(n)` | gaps: an element that comes while *n* wait is lost, the last one too |
///
/// Elements are put into the buffer on the thread that makes the change, before its setter returns,
/// and taken out wherever the sequence is iterated. A sequence whose elements are `Sendable` may be
/// iterated anywhere, another one where it was made.
public struct KeyValueAsyncSequence<Element>: AsyncSequence {
  /// No error is thrown.
  public typealias Failure = Never

  private let source: Source

  init(_ broadcast: Broadcast<Element>, lasting observation: KeyValueObservation) {
    source = Source(broadcast, observation)
  }

  /// Returns an iterator that receives every element from now on.
  ///
  /// If it is the first one, it also receives what has come before. The observation lasts at least
  /// as long as it does.
  ///
  /// - Complexity: O(1).
  public func makeAsyncIterator() -> Iterator {
    Iterator(Receiver(source.broadcast, source.observation))
  }

  /// Receives the elements of a sequence.
  ///
  /// Copies of an iterator share what it receives.
  public struct Iterator: AsyncIteratorProtocol {
    /// No error is thrown.
    public typealias Failure = Never

    private let receiver: Receiver
    private var askedCount = 0

    fileprivate init(_ receiver: Receiver) {
      self.receiver = receiver
    }

    /// Returns the next element, as soon as there is one, or nil if none will come.
    ///
    /// None comes after the object has died and what waited was taken, or if the task is cancelled.
    /// A cancelled task gets nil at once, whatever waits; from then on so does whoever uses this
    /// iterator, but not other iterators of the sequence.
    ///
    /// - Complexity: O(1), amortized.
    public nonisolated(nonsending) mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Returns the next element, as soon as there is one, or nil if none will come.
    ///
    /// `for await` calls it with the actor on which the loop runs, so that elements need not be
    /// `Sendable`. Everything else is as with ``next()``.
    ///
    /// - Parameter actor: The actor on which the iterator is used.
    /// - Returns: The next element, or nil if the observed object was deallocated or the task
    ///   cancelled.
    ///
    /// - Complexity: O(1), amortized.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      // Where elements come as fast as they are taken nothing below ever waits, and an actor would
      // have no time for other work.
      askedCount &+= 1
      if askedCount % 100 == 0 { await Task.yield() }
      return await receiver.broadcast.next(at: receiver.seat, isolation: actor)
    }
  }

  /// Can make iterators, for which the last value is kept while it lives.
  private final class Source: Sendable {
    let broadcast: Broadcast<Element>
    let observation: KeyValueObservation

    init(_ broadcast: Broadcast<Element>, _ observation: KeyValueObservation) {
      self.broadcast = broadcast
      self.observation = observation
    }

    deinit { broadcast.close() }
  }

  /// Has a seat, and with it a buffer, while it lives.
  fileprivate final class Receiver: Sendable {
    let broadcast: Broadcast<Element>
    private let observation: KeyValueObservation
    let seat: Int

    init(_ broadcast: Broadcast<Element>, _ observation: KeyValueObservation) {
      self.broadcast = broadcast
      self.observation = observation
      seat = broadcast.takeSeat()
    }

    deinit { broadcast.leaveSeat(seat) }
  }
}

extension KeyValueAsyncSequence: Sendable where Element: Sendable {}

@available(*, unavailable)
extension KeyValueAsyncSequence.Iterator: Sendable {}
