#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

extension CallSite {
  /// Makes the running test fail.
  ///
  /// Swift Testing knows its test wherever a task of it runs. Where it knows none, the test may be
  /// one of XCTest, or one of Swift Testing that left its task. Both are told then: each ignores
  /// what it is told while it runs no test, so that a failure is neither lost nor told twice.
  func fail(_ message: String) {
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
