/// The indexes of each number in an array.
struct Occurrences {
  /// The places of all numbers: those of the smallest number first, each number's in ascending order.
  private var places: [Int]
  /// The begin of each number's indexes, followed by the end of the last number's.
  private var starts: [Int]

  /// - Parameters:
  ///   - numbers: The array.
  ///   - limit: All numbers are less than that, and none is negative.
  init(of numbers: [Int], below limit: Int) {
    starts = Array(repeating: 0, count: limit + 1)
    for number in numbers { starts[number + 1] += 1 }
    for number in 0..<limit { starts[number + 1] += starts[number] }
    places = Array(repeating: 0, count: numbers.count)
    var next = starts
    for (place, number) in numbers.enumerated() {
      places[next[number]] = place
      next[number] += 1
    }
  }

  /// The indexes of a number, in ascending order.
  subscript(number: Int) -> ArraySlice<Int> { places[starts[number]..<starts[number + 1]] }

  /// How many pairs of the same number there are between another array and this one.
  func pairCount(with numbers: [Int]) -> Int {
    numbers.reduce(0) { $0 + starts[$1 + 1] - starts[$1] }
  }
}
