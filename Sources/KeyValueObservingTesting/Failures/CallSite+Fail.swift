#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

extension CallSite {
  /// Makes the running test fail, unless the message is nil.
  ///
  /// Swift Testing knows its test in every task of it. If it knows none, the test may be one of
  /// XCTest, or one of Swift Testing that has left its task. The failure is recorded with both
  /// then: each ignores failures while it runs no test, so that none is lost or counted twice.
  func fail(_ message: String?) {
    guard let message else { return }
    #if canImport(Testing)
      Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(
          fileID: fileID.description, filePath: filePath.description, line: Int(line),
          column: Int(column)))
      if Test.current != nil { return }
    #endif
    #if canImport(XCTest)
      XCTFail(message, file: filePath, line: line)
    #endif
  }
}
