/// Whether the words of a file are about observing, and the types that it declares.
///
/// Most files of a program use neither key-value observing nor key-value coding. Their words show that
/// in a fraction of the time that it takes to parse them.
struct SourceWords: Sendable {
  /// Whether a pattern may find something in the file.
  var areOfInterest: Bool { isObserving || usesKeys && hasKeyLabel }
  /// Whether the file has a word of Objective-C, which matters where all of them are removed.
  private(set) var nameObjectiveC = false
  /// The names that the file declares as types, or as global variables.
  private(set) var declaredTypes: Set<String> = []
  private(set) var extendedTypes: Set<String> = []
  /// The first names behind the colons of types, which are those of superclasses.
  private(set) var inheritedTypes: Set<String> = []
  private var isObserving = false
  /// Whether a function is named that is about observing or coding if it has a label such as `forKey`.
  private var usesKeys = false
  private var hasKeyLabel = false

  init(_ bytes: [UInt8]) {
    var declaration: WritableKeyPath<Self, Set<String>>?
    bytes.withUnsafeBufferPointer { bytes in
      var offset = 0
      while offset < bytes.count {
        guard bytes[offset].beginsWord else {
          offset += 1
          continue
        }
        let start = offset
        while offset < bytes.count, bytes[offset].isInWord { offset += 1 }
        let word = UnsafeBufferPointer(rebasing: bytes[start..<offset])
        if let names = declaration {
          self[keyPath: names].insert(String(decoding: word, as: UTF8.self))
          Self.inherited(bytes[offset...]).map { _ = inheritedTypes.insert($0) }
          declaration = nil
        }
        if word.count == 3, Self.isGlobal(bytes[..<start]),
          word.elementsEqual("let".utf8) || word.elementsEqual("var".utf8)
        {
          declaration = \.declaredTypes
        }
        guard (4...40).contains(word.count), let meaning = Word.meaning(of: word) else { continue }
        switch meaning {
        case .observing: isObserving = true
        case .call: isObserving = isObserving || bytes[offset...].first == UInt8(ascii: "(")
        case .literal:
          isObserving = isObserving || start > 0 && bytes[start - 1] == UInt8(ascii: "#")
        case .publisher: isObserving = isObserving || Self.hasKeyPath(bytes[offset...])
        case .keyed: usesKeys = true
        case .label: hasKeyLabel = true
        case .objectiveC: nameObjectiveC = true
        case .declaration: declaration = \.declaredTypes
        case .extension: declaration = \.extendedTypes
        }
      }
    }
  }

  /// Whether a declaration behind some bytes begins its line, but for words such as `public`.
  private static func isGlobal(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let line = bytes.reversed().prefix { !$0.isLineEnd }
    guard let first = line.last else { return true }
    return line.count < 40 && first.beginsWord
      && line.allSatisfy { $0.isInWord || $0 == .space || $0 == UInt8(ascii: "@") }
  }

  /// The last component of the first type behind the colon that follows the name of a type.
  private static func inherited(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    var rest = rest
    if rest.first == UInt8(ascii: "<") {
      var depth = 0
      rest = rest.drop { byte in
        if byte == UInt8(ascii: "<") { depth += 1 }
        if byte == UInt8(ascii: ">") { depth -= 1 }
        return depth > 0
      }
      .dropFirst()
    }
    rest = rest.drop { $0.isSpaceOrTab || $0.isLineEnd }
    guard rest.first == UInt8(ascii: ":") else { return nil }
    let name = rest.dropFirst().drop { $0.isSpaceOrTab || $0.isLineEnd }
      .prefix { $0.isInWord || $0 == UInt8(ascii: ".") }
    return String(decoding: name, as: UTF8.self).split(separator: ".").last.map(String.init)
  }

  /// Whether a key path is the argument: `(for: \.rate)`.
  private static func hasKeyPath(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    rest.starts(with: "(for:".utf8)
      && rest.dropFirst(5).first { !$0.isSpaceOrTab && !$0.isLineEnd } == UInt8(ascii: "\\")
  }
}

/// The words that matter.
private enum Word {
  enum Meaning: Sendable {
    case observing, call, literal, publisher, keyed, label, objectiveC, declaration, `extension`
  }

  static func meaning(of word: UnsafeBufferPointer<UInt8>) -> Meaning? {
    if let meaning = table[hash(word)] { return meaning }
    guard beginningHashes.contains(hash(word.prefix(5))) else { return nil }
    let text = String(decoding: word, as: UTF8.self)
    return beginnings.contains(where: text.hasPrefix) ? .observing : nil
  }

  private static func hash(_ word: some Sequence<UInt8>) -> UInt64 { WordSet.hash(word) }

  private static let words: [Meaning: [String]] = [
    .observing: [
      "dynamic", "observeValue", "willChangeValue", "didChangeValue", "forKeyPath",
      "objc_setAssociatedObject", "objc_getAssociatedObject", "objc_removeAssociatedObjects",
      "XCTKVOExpectation", "keyValueObservingExpectation", "withKeyPath", "_kvcKeyPathString",
      "setValuesForKeys", "observationInfo", "accessInstanceVariablesDirectly",
      "ObservableUserDefaults", "dictionaryWithValues",
      "mutableArrayValue", "mutableOrderedSetValue", "mutableSetValue", "setNilValueForKey",
      "valuesAt",
      // Functions of user defaults that the observable class does not have.
      "addSuite", "objectIsForced", "persistentDomain", "removePersistentDomain", "removeSuite",
      "removeVolatileDomain", "resetStandardUserDefaults", "setPersistentDomain",
      "setVolatileDomain", "volatileDomain",
    ],
    .call: ["observe"],
    .literal: ["keyPath"],
    .publisher: ["publisher"],
    .keyed: ["value", "setValue"],
    .label: ["forKey", "forUndefinedKey"],
    .objectiveC: ["objc", "objcMembers", "nonobjc"],
    .declaration: ["actor", "class", "enum", "protocol", "struct", "typealias"],
    .extension: ["extension"],
  ]

  private static let table: [UInt64: Meaning] = {
    var table: [UInt64: Meaning] = [:]
    for (meaning, words) in words {
      for word in words { table[hash(Array(word.utf8))] = meaning }
    }
    return table
  }()

  private static let beginnings = [
    "automaticallyNotifiesObservers", "keyPathsForValuesAffecting", "NSKeyValue", "KeyValueObserv",
  ]

  private static let beginningHashes = Set(beginnings.map { hash(Array($0.utf8.prefix(5))) })
}

extension UInt8 {
  fileprivate var beginsWord: Bool {
    self == UInt8(ascii: "_") || self >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  var isInWord: Bool {
    beginsWord || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
