/// An asynchronous sequence of the values or changes of an observed property.
///
/// `values(of:)` and `changes(of:)` of an observable object return such a sequence. The observation
/// is registered when the sequence is made, and later elements wait in a buffer, so none is lost
/// before the first `next()` (P41). When the object is deallocated, the sequence ends after the
/// elements that wait (P33). The observation lasts until the sequence and its iterators are
/// deinitialized; it does not retain the object (P5).
///
/// Each iterator receives every element, unlike those of an `AsyncStream`, which share them. The
/// first iterator begins with the elements since the sequence was made. A later one of
/// `values(of:)` begins with the latest value, a later one of `changes(of:)` with the next change.
/// Each has a buffer of its own, with the same policy:
///
/// | Policy | A consumer that is slower than the changes receives |
/// | --- | --- |
/// | `unbounded` | every element |
/// | `bufferingNewest(n)` | gaps, and the last *n* elements: always the last one |
/// | `bufferingOldest(n)` | gaps: an element that arrives while *n* wait is lost, even the last one |
///
/// Elements are added to the buffer on the thread that makes the change, before its setter returns,
/// and removed wherever the sequence is iterated. A sequence whose elements are `Sendable` may be
/// iterated anywhere, any other one only where it was made.
public struct KeyValueAsyncSequence<Element>: AsyncSequence {
  /// No error is thrown.
  public typealias Failure = Never

  private let source: IteratorSource

  init(_ multicast: Multicast<Element>, lasting observation: KeyValueObservation) {
    source = IteratorSource(multicast.base, observation)
  }

  /// Returns an iterator that receives every element from now on.
  ///
  /// If it is the first one, it also receives earlier elements. The observation lasts at least as
  /// long as it does.
  ///
  /// - Complexity: O(1).
  public func makeAsyncIterator() -> Iterator {
    Iterator(IteratorEntry(source))
  }

  /// Receives the elements of a sequence.
  ///
  /// Copies of an iterator share its elements.
  public struct Iterator: AsyncIteratorProtocol {
    /// No error is thrown.
    public typealias Failure = Never

    private let entry: IteratorEntry
    private var askedCount = 0

    fileprivate init(_ entry: IteratorEntry) {
      self.entry = entry
    }

    /// Returns the next element, waiting for it if necessary, or nil at the end.
    ///
    /// The sequence ends after the object has been deallocated and no element waits. If the task is
    /// cancelled, this call and later calls of this iterator return nil immediately, even if
    /// elements wait; other iterators of the sequence continue.
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
      // If elements arrive as fast as they are consumed, nothing below ever waits, and an actor
      // would have no time for other work.
      askedCount &+= 1
      if askedCount % 100 == 0 { await Task.yield() }
      let element = await entry.multicast.next(for: entry.iterator, isolation: actor)
      return element.map(Multicast<Element>.open)
    }
  }
}

extension KeyValueAsyncSequence: Sendable where Element: Sendable {}

@available(*, unavailable)
extension KeyValueAsyncSequence.Iterator: Sendable {}

// MARK: Lifetimes

/// Can make iterators, for which the last value is kept while it lives.
private final class IteratorSource: Sendable {
  let multicast: AnyMulticast
  let observation: KeyValueObservation

  init(_ multicast: AnyMulticast, _ observation: KeyValueObservation) {
    self.multicast = multicast
    self.observation = observation
  }

  deinit { multicast.close() }
}

/// Keeps an iterator registered, and with it its buffer, while it lives.
private final class IteratorEntry: Sendable {
  let multicast: AnyMulticast
  private let observation: KeyValueObservation
  let iterator: Int

  init(_ source: IteratorSource) {
    multicast = source.multicast
    observation = source.observation
    iterator = multicast.addIterator()
  }

  deinit { multicast.removeIterator(iterator) }
}
