/// One check of a guarantee, which runs against a class of your own or an API for observing.
///
/// Run each of ``all`` for each class:
///
/// ```swift
/// @Test(arguments: KeyValueConformanceCheck.all)
/// func personKeepsTheGuarantees(check: KeyValueConformanceCheck) {
///   check.expect(of: KeyValueConformanceSource(key: "name", values: ("a", "b", "c")) { Person() })
/// }
/// ```
///
/// A check makes its own objects, sets their properties with key-value coding, and compares whole
/// histories of changes. Passing all of them does not prove a class correct: threads that share an
/// object are not checked, nor are the class's own computed properties, weak ones and collections.
public struct KeyValueConformanceCheck: Sendable, CustomStringConvertible {
  /// The number of the guarantee, such as `P2`.
  public let promise: String
  /// The guarantee in a sentence.
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

  /// Every check, by the number of its guarantee.
  public static let all = [
    options, initial, independence, rejection, promptness, equalAssignments, order, consistentOrder,
    registeringMeanwhile, dependencies, reattaching, cycle, ending, releasing, deallocation, coding,
    transaction, equalTransaction, movingTransaction, transactionPriors, reentrantTransaction,
    editedCollection, rollback, deliveringErrors, lostObject, nesting, registeringInside,
    keptObject, pairAroundBeginning,
    otherThread, passingOver,
    becomingObserved, observedAlongPaths, reporting, formerValues,
  ]

  /// The number of the guarantee and its sentence.
  public var description: String { "\(promise): \(claim)" }

  /// Runs the check on the calling thread, with no observation that outlasts it.
  ///
  /// - Parameter source: The class to check, and the API for observing it.
  ///
  /// - Returns: The failures, each in a sentence; none if the guarantee holds.
  public func failures(of source: KeyValueConformanceSource) -> [String] {
    let trial = ConformanceTrial(source)
    do {
      try body(trial)
    } catch {
      trial.fail("An error was thrown: \(error)")
    }
    return trial.failures
  }

  /// Runs the check, and fails the running test with all failures that it finds.
  ///
  /// It works under Swift Testing and under XCTest.
  ///
  /// - Parameters:
  ///   - source: The class to check, and the API for observing it.
  ///   - fileID: The source location at which a failure is shown.
  ///   - filePath: The source location at which a failure is shown.
  ///   - line: The source location at which a failure is shown.
  ///   - column: The source location at which a failure is shown.
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
