import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Keys that are equal in several forms")
  struct EqualKeyTests {
    @Test("P42, P50: keys that are equal as strings have equal hashes, also if only one is ASCII")
    func equalKeys() {
      let object = Deposit()
      func hash(_ key: String) -> Int {
        key.withKeyName { RecordKey($0, of: object).hashValue }
      }
      let ascii = Dictionary(
        uniqueKeysWithValues: (UInt8.min..<0x80).map { (String(UnicodeScalar($0)), $0) })
      var found: [UInt32] = []
      for scalar in (UInt16(0x80)...UInt16.max).compactMap(UnicodeScalar.init) {
        guard let byte = ascii[String(scalar)] else { continue }
        found.append(scalar.value)
        #expect(hash("size in \(scalar)") == hash("size in \(UnicodeScalar(byte))"))
        #expect(hash("e\u{301}\(scalar)") == hash("\u{e9}\(UnicodeScalar(byte))"))
      }
      #expect(found == [0x37E, 0x1FEF, 0x212A])
    }

    @Test("P42, P45: a transaction records one change for all forms of a key")
    func formsOfKey() throws {
      let object = KeyValueDictionary(["K": 0, "caf\u{e9}": 0])
      var received: [String] = []
      let tokens = try ["K", "cafe\u{301}"].map { key in
        try object.observe(key, options: [.old, .new]) { _, change in
          received.append(
            "\((change.oldValue ?? nil) ?? "nil")→\((change.newValue ?? nil) ?? "nil")")
        }
      }
      withKeyValueTransaction {
        for number in 0..<100 { object["\(number)"] = number }
        (object["K"], object["caf\u{e9}"]) = (1, 1)
        (object["\u{212A}"], object["cafe\u{301}"]) = (2, 2)
      }
      #expect(received == ["0→2", "0→2"])
      withExtendedLifetime(tokens) {}
    }
  }
}
