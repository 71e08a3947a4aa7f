import TestSupport

extension SplitMix {
  /// A number from 0 on.
  ///
  /// Not quite even, which does not matter here, and quick.
  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % bound }

  /// Whether something happens that happens so often in a hundred.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
