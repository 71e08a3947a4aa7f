#if GObject
  /// How a key is spelled: as GLib does, with hyphens and in lower case, whatever was written.
  enum KeySpelling {
    /// `page-size` of `page_size` and `pageSize`; `base-url` of `baseURL`.
    static func canonical(_ key: String) -> String {
      guard key.utf8.contains(where: { $0 == underscore || isUppercase($0) }) else { return key }
      let bytes = Array(key.utf8)
      var canonical: [UInt8] = []
      for (index, byte) in bytes.enumerated() {
        guard isUppercase(byte) else {
          canonical.append(byte == underscore ? hyphen : byte)
          continue
        }
        if beginsWord(at: index, of: bytes) { canonical.append(hyphen) }
        canonical.append(byte | 0x20)
      }
      return String(decoding: canonical, as: UTF8.self)
    }

    /// The other spellings of a name: `page_size` and `pageSize` of `page-size`.
    static func others(of name: String) -> [String] {
      let words = name.split(separator: "-")
      guard words.count > 1 else { return [] }
      let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
      return [words.joined(separator: "_"), words[0] + rest.joined()]
    }

    /// Whether an uppercase letter is the first of a word: behind one that is not, or before one that is
    /// not, as the `L` of `URLList`.
    private static func beginsWord(at index: Int, of bytes: [UInt8]) -> Bool {
      guard index > 0, isPartOfWord(bytes[index - 1]) else { return false }
      if !isUppercase(bytes[index - 1]) { return true }
      return index + 1 < bytes.count && isLowercase(bytes[index + 1])
    }

    private static var underscore: UInt8 { UInt8(ascii: "_") }
    private static var hyphen: UInt8 { UInt8(ascii: "-") }

    private static func isUppercase(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isLowercase(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool { byte != underscore && byte != hyphen }
  }
#endif
