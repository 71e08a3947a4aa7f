/// The word that was probably meant by `word`; nil if none is near.
///
/// A word is near if at most a third of the longer one has to be changed. So words of one and two letters
/// are near only to those of the same letters, in whatever case and order, and to one that is a letter
/// longer than two.
///
/// - Complexity: O(*n* · *m*) for each candidate that is about as long, in the lengths of both
///   words.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let (length, letters) = (word.count, Array(word.lowercased()))
  var nearest: (candidate: String, distance: Int)?
  for candidate in candidates {
    let limit = max(candidate.count, length) / 3
    // As many letters as one word is longer have to be inserted. A key may be a whole file.
    guard abs(candidate.count - length) <= limit else { continue }
    let others = Array(candidate.lowercased())
    let distance = editDistance(letters, others)
    guard distance < nearest?.distance ?? .max,
      distance <= limit || distance == 1 && letters.sorted() == others.sorted()
    else { continue }
    nearest = (candidate, distance)
  }
  return nearest?.candidate
}

/// Returns how many characters must be inserted, removed, replaced, or swapped with their neighbor.
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
