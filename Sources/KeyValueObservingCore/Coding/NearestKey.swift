/// The word that somebody probably meant who wrote `word`; nil if none is near.
///
/// Complexity: O(*n* · *m*) for each candidate that is about as long, in the lengths of both words.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let length = word.count
  let limit = max(1, length / 3)
  var nearest: (candidate: String, distance: Int)?
  // As many letters as one word is longer have to be inserted. A key may be a whole file.
  for candidate in candidates where abs(candidate.count - length) <= limit {
    let distance = editDistance(Array(word.lowercased()), Array(candidate.lowercased()))
    if distance <= limit, distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
  }
  return nearest?.candidate
}

/// How many characters must be inserted, removed, replaced, or swapped with their neighbour.
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for (row, character) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      let isSame = character == other
      var distance = min(
        last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
      if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
        distance = min(distance, beforeLast[column - 1] + 1)
      }
      current.append(distance)
    }
    beforeLast = last
    last = current
  }
  return last[right.count]
}
