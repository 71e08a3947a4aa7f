import TestSupport

extension SplitMix {
  /// Whether something happens that happens so often in a hundred.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
    choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
  }
}
