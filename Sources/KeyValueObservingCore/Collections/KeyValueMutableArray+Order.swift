extension KeyValueMutableArray {
  /// Shuffles the elements, as one replacement of the indexes that change.
  ///
  /// - Complexity: O(*n*) for *n* elements.
  public func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Shuffles the elements, as one replacement of the indexes that change.
  ///
  /// The generator is used again after prior notifications, since their observers may have changed the array.
  ///
  /// - Parameter generator: The source of random numbers.
  ///
  /// - Complexity: O(*n*) for *n* elements.
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder { $0.indices.shuffled(using: &generator) }
  }

  /// Moves the elements for which a closure returns true behind all others: one replacement of the
  /// indexes that change, or none if the order is the same.
  ///
  /// Otherwise elements keep their order.
  ///
  /// If the closure throws, nothing is moved and no observer is notified. It is called again after
  /// prior notifications, since their observers may have changed the array.
  ///
  /// - Parameter belongsInSecondPartition: Returns whether an element belongs behind the others.
  /// - Returns: The index of the first element for which the closure returns true; the count if
  ///   there is none.
  /// - Throws: Any error that the closure throws.
  ///
  /// - Complexity: O(*n*) for *n* elements.
  @discardableResult
  public func partition<Failure: Error>(
    by belongsInSecondPartition: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var failure: Failure?
    var start = 0
    reorder { array in
      do throws(Failure) {
        var (first, second): ([Int], [Int]) = ([], [])
        for index in array.indices {
          if try belongsInSecondPartition(array[index]) {
            second.append(index)
          } else {
            first.append(index)
          }
        }
        start = first.count
        return first + second
      } catch {
        failure = error
        return Array(array.indices)
      }
    }
    if let failure { throw failure }
    return start
  }

  /// Moves the elements at some indexes together in front of another index, as one replacement.
  ///
  /// The change has the indexes whose elements differ afterwards. Traps if the array does not have
  /// the indexes, before any observer is notified.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the elements to move.
  ///   - place: The index before which to insert them.
  /// - Returns: The indexes that the elements have now.
  ///
  /// - Complexity: O(*n*) for *n* elements.
  @discardableResult
  public func moveSubranges(_ indexes: RangeSet<Int>, to place: Int) -> Range<Int> {
    var moved = 0..<0
    reorder(within: indexes, before: place) { array in
      var order = Array(array.indices)
      moved = order.moveSubranges(indexes, to: place)
      return order
    }
    return moved
  }
}
