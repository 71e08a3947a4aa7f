/// Returns the error that a call throws, nil if it does not.
func thrown<Failure: Error, Result>(
  _ type: Failure.Type = Failure.self, by body: () throws -> Result
) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}

/// Whether two values are of one type and equal.
func same(_ left: Any?, _ right: some Equatable) -> Bool {
  func isEqual<Value: Equatable>(_ value: Value) -> Bool { left as? Value == value }
  guard let left else { return false }
  return type(of: left) == type(of: right) && isEqual(right)
}
