import KeyValueObserving
import KeyValueObservingTesting
import XCTest

/// XCTest is notified of failures as Swift Testing is.
final class XCTestTests: XCTestCase {
  private var failures: [String] = []
  private var isCatching = false

  #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
      if isCatching { failures.append(issue.compactDescription) } else { super.record(issue) }
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      if isCatching {
        failures.append("\(filePath):\(lineNumber): \(description)")
      } else {
        super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    }
  #endif

  func testFailuresReachXCTestWithTheirPlace() {
    let article = Article()
    isCatching = true
    expectChanges(of: \.count, on: article, [.setting(from: 0, to: 1)]) {}
    let line = #line - 1
    isCatching = false
    XCTAssertEqual(failures.count, 1)
    XCTAssertTrue(failures[0].hasSuffix("- setting from 0 to 1"), failures[0])
    #if !canImport(Darwin)
      XCTAssertTrue(failures[0].hasPrefix("\(#filePath):\(line): "), failures[0])
    #endif
  }

  func testLiveObservationsReachXCTest() {
    let article = Article()
    var token: KeyValueObservation?
    isCatching = true
    expectNoLiveObservations { token = article.observe(\.count) { _, _ in } }
    isCatching = false
    XCTAssertEqual(failures.count, 1)
    XCTAssertTrue(failures[0].contains("Article.count"), failures[0])
    token?.invalidate()
  }

  func testDiagnosticsReachXCTestWithTheirPlace() {
    isCatching = true
    expectNoDiagnostics { Article().willChangeValue(forKey: "titel") }
    let line = #line - 1
    isCatching = false
    XCTAssertEqual(failures.count, 1)
    XCTAssertTrue(failures[0].contains("[unknownProperty]"), failures[0])
    #if !canImport(Darwin)
      XCTAssertTrue(failures[0].hasPrefix("\(#filePath):\(line): "), failures[0])
    #endif
  }
}
