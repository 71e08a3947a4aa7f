import Foundation

/// The bytes of a file, and what a look at its words shows.
struct SourceText: Sendable {
  let path: String
  let bytes: [UInt8]
  let words: SourceWords

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    words = SourceWords(bytes)
  }

  init(path: String) throws {
    self.init(path: path, bytes: [UInt8](try Data(contentsOf: URL(filePath: path))))
  }

  /// The words in `#selector(…)`.
  var selectors: Set<String> {
    let (data, start) = (Data(bytes), Data("#selector(".utf8))
    var names: Set<String> = []
    var rest = data.startIndex..<data.endIndex
    while let found = data.range(of: start, in: rest) {
      var depth = 1
      let end = data[found.upperBound...].firstIndex { byte in
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        return depth == 0
      }
      let arguments = data[found.upperBound..<(end ?? data.endIndex)]
      names.formUnion(String(decoding: arguments, as: UTF8.self).words)
      rest = found.upperBound..<data.endIndex
    }
    return names
  }

  /// Whether one of some words is in the text, maybe with a character directly behind it.
  func contains(_ words: WordSet, before next: UInt8? = nil) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var offset = 0
      while offset < bytes.count {
        guard bytes[offset].isInWord else {
          offset += 1
          continue
        }
        let start = offset
        while offset < bytes.count, bytes[offset].isInWord { offset += 1 }
        let word = UnsafeBufferPointer(rebasing: bytes[start..<offset])
        if words.contains(word), next == nil || offset < bytes.count && bytes[offset] == next {
          return true
        }
      }
      return false
    }
  }
}

/// Words that are compared with those of a text.
struct WordSet: Sendable {
  private let words: Set<String>
  private let hashes: Set<UInt64>

  init(_ words: some Sequence<String>) {
    self.words = Set(words)
    hashes = Set(self.words.map { Self.hash($0.utf8) })
  }

  var isEmpty: Bool { words.isEmpty }

  func contains(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    hashes.contains(Self.hash(word)) && words.contains(String(decoding: word, as: UTF8.self))
  }

  static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
