import KeyValueObserving

extension KeyPathCheck {
  /// Follows the words of a key path through a document.
  struct Walk {
    let words: [String]

    /// The result for a value and the words from an index on; nil for null, because an object may
    /// replace it.
    func check(_ value: JSONValue, from place: Int) -> KeyPathCheck? {
      guard place < words.count else { return end(at: value) }
      let word = words[place]
      if word.hasPrefix("@") { return check(word, of: value, at: place) }
      switch value {
      case .null: return nil
      case .object(let object):
        if let next = object[word] { return check(next, from: place + 1) }
        let key = words[...place].joined(separator: ".")
        return .missing(key: key, suggestion: suggestion(in: object, at: place))
      case .array(let elements): return check(elements, from: place)
      case .bool, .number, .string: return .noKeys(link: link(to: place), kind: value.kind)
      }
    }

    private func end(at value: JSONValue) -> KeyPathCheck {
      switch value {
      case .object: return .endsAtObject
      case .array(let elements):
        for case .object(let object) in elements { return .endsAtElements(key: object.keys.first) }
        return .works
      default: return .works
      }
    }

    private func check(_ found: String, of value: JSONValue, at place: Int) -> KeyPathCheck? {
      switch value {
      case .null: nil
      // The rest of the path has no effect.
      case .array where found == "@count": .works
      case .array(let elements): check(elements, from: place + 1)
      default: .noArray(link: link(to: place), operatorName: found, kind: value.kind)
      }
    }

    /// The result for the elements.
    ///
    /// The path works if it does for one of them, and leads nowhere if it does for one. Of missing
    /// keys, the one that is farthest on the path is reported.
    private func check(_ elements: [JSONValue], from place: Int) -> KeyPathCheck? {
      var works = false
      var missing: (check: KeyPathCheck, depth: Int)?
      for case let found? in elements.lazy.map({ check($0, from: place) }) {
        switch found {
        case .noKeys(link(to: place), let kind):
          return .noKeys(link: link(to: place), kind: "an array that holds \(kind)")
        case .noKeys, .noArray: return found
        case .works, .endsAtObject, .endsAtElements: works = true
        case .missing(let keyPath, let suggestion):
          let keys = keyPath.split(separator: ".").filter { !$0.hasPrefix("@") }
          if keys.count <= missing?.depth ?? 0 { continue }
          let link = keys.dropLast().joined(separator: ".")
          let key = String(keys[keys.count - 1])
          missing = (.missingInElements(link: link, key: key, suggestion: suggestion), keys.count)
        case .missingInElements(let link, _, _):
          let depth = link.split(separator: ".").count + 1
          if depth > missing?.depth ?? 0 { missing = (found, depth) }
        }
      }
      return works ? .works : missing?.check
    }

    private func suggestion(in object: JSONObject, at place: Int) -> String? {
      nearest(to: words[place], among: object.keys).map {
        (words[..<place] + [$0] + words[(place + 1)...]).joined(separator: ".")
      }
    }

    /// The path to what the word at a place is asked of.
    private func link(to place: Int) -> String {
      words[..<place].filter { !$0.hasPrefix("@") }.joined(separator: ".")
    }
  }
}
