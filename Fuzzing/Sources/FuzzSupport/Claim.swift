/// Ends the process if what is claimed of an input is not true.
///
/// libFuzzer then keeps the input.
public func claim(
  _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  guard condition() else { fatalError(message(), file: file, line: line) }
}

/// Ends the process if two values are not equal.
public func claimEqual<Value: Equatable>(
  _ found: @autoclosure () -> Value, _ expected: @autoclosure () -> Value,
  _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  let (found, expected) = (found(), expected())
  guard found != expected else { return }
  fatalError(
    "\(message()):\n  found    \(found)\n  expected \(expected)", file: file, line: line)
}
