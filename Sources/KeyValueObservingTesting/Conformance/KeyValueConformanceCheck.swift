/// One check of the contract, to be run against anybody's kind of object or surface.
///
/// Run each of ``all`` for each kind:
///
/// ```swift
/// @Test(arguments: KeyValueConformanceCheck.all)
/// func personKeepsTheContract(check: KeyValueConformanceCheck) {
///   check.expect(of: KeyValueConformanceSource(key: "name", values: ("a", "b", "c")) { Person() })
/// }
/// ```
///
/// A check makes its own objects, sets their properties through key-value coding, and compares whole
/// histories. That all pass does not prove a class correct: what the contract says of threads, and of
/// properties that are computed, weak or collections, is not checked.
public struct KeyValueConformanceCheck: Sendable, CustomStringConvertible {
  /// The number of the promise in the contract, such as `P2`.
  public let promise: String
  /// What is promised, in a sentence.
  public let claim: String
  private let body: @Sendable (ConformanceTrial) throws -> Void

  init(
    _ promise: String, _ claim: String,
    _ body: @escaping @Sendable (ConformanceTrial) throws -> Void
  ) {
    self.promise = promise
    self.claim = claim
    self.body = body
  }

  /// Every check, by promise.
  public static let all = [
    options, initial, independence, refusal, promptness, equalAssignments, order, oneStory,
    comingAndGoing, dependencies, rewiring, cycle, ending, dropping, death, coding,
    becomingObserved, observedAlongPaths, reporting, formerValues,
  ]

  /// The promise and the claim.
  public var description: String { "\(promise): \(claim)" }

  /// Runs the check, and returns what it found wrong: nothing if the promise is kept.
  ///
  /// It runs on the calling thread and returns when it is done; no observation outlasts it.
  ///
  /// - Parameter source: Makes the observed objects.
  /// - Returns: A sentence for each failure.
  public func failures(of source: KeyValueConformanceSource) -> [String] {
    let trial = ConformanceTrial(source)
    do {
      try body(trial)
    } catch {
      trial.fail("an error was thrown: \(error)")
    }
    return trial.failures
  }

  /// Runs the check, and fails the running test with everything that it found wrong.
  ///
  /// It works under Swift Testing and under XCTest.
  ///
  /// - Parameters:
  ///   - source: Makes the observed objects.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of the file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func expect(
    of source: KeyValueConformanceSource, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let failures = failures(of: source)
    guard !failures.isEmpty else { return }
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
      .fail("\(self)\n\(failures.joined(separator: "\n"))")
  }
}
