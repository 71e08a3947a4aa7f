extension String {
  /// The parts between the dots, empty ones included.
  ///
  /// A dot with a combining mark on it is another character, and a dot of a key path nevertheless.
  var keyPathComponents: [String] {
    utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}
