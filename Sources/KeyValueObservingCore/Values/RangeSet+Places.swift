extension RangeSet<Int> {
  /// Each index, in ascending order.
  var places: [Int] { ranges.flatMap { Array($0) } }

  init(places: some Sequence<Int>) {
    self.init()
    for place in places { insert(contentsOf: place..<(place + 1)) }
  }
}
