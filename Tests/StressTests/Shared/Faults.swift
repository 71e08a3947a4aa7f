import TestSupport

/// The failures on all threads: they are reported when the threads are done.
final class Faults: Sendable {
  private let noted = Guarded((sentences: [String](), count: 0))

  /// The first of them, and how many there were in all.
  var summary: (sentences: [String], count: Int) { noted.value }

  func note(_ sentence: String) {
    noted.withLock { noted in
      noted.count += 1
      if noted.count <= 12 { noted.sentences.append(sentence) }
    }
  }

  func expect(_ isRight: Bool, _ sentence: @autoclosure () -> String) {
    if !isRight { note(sentence()) }
  }
}
