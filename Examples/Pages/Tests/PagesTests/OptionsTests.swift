import XCTest

@testable import Pages

final class OptionsTests: XCTestCase {
  func testOptionsAreRead() throws {
    let options = try Options(["--pages", "8", "--start", "8", "--screenshot", "page.png"])
    XCTAssertEqual(options.pages, 8)
    XCTAssertEqual(options.start, 8)
    XCTAssertEqual(options.screenshot, "page.png")
    XCTAssertNil(options.cycles)
    XCTAssertEqual(try Options([]).pages, 5)
    XCTAssertEqual(try Options([]).start, 1)
  }

  func testOptionsAreRefusedWithASentence() {
    for (arguments, refusal) in [
      (["--pages", "2"], Refusal.missingNumber("--pages", from: 3, to: 8)),
      (["--pages"], .missingNumber("--pages", from: 3, to: 8)),
      (["--pages", "many"], .missingNumber("--pages", from: 3, to: 8)),
      (["--cycles", "0"], .missingNumber("--cycles", from: 1, to: 1_000_000)),
      (["--start", "6"], .noPage(6, of: 5)),
      (["--start", "-1"], .noPage(-1, of: 5)),
      (["--start", "5", "--pages", "3"], .noPage(5, of: 3)),
      (["--screenshot"], .missingFile),
      (["3"], .unknownOption("3")),
    ] {
      XCTAssertThrowsError(try Options(arguments)) { XCTAssertEqual($0 as? Refusal, refusal) }
    }
  }

  func testAFileThatCannotBeWrittenIsRefused() throws {
    let options = try Options(["--screenshot", "/"])
    XCTAssertThrowsError(try options.checkScreenshot()) {
      XCTAssertEqual($0 as? Refusal, .unwritable("/", because: "Is a directory"))
    }
  }
}
