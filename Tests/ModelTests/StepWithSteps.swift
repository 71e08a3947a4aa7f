/// A step of a program, which may have other steps inside, as a block or an observer has.
protocol StepWithSteps {
  /// The steps inside.
  var steps: [Self] { get }
  func with(_ steps: [Self]) -> Self
}

extension Array where Element: StepWithSteps {
  /// The smallest program with a fault that leaving out steps leads to.
  func shrunk(where fails: ([Element]) -> Bool) -> [Element] {
    var smallest = self
    while let smaller = smallest.smaller.first(where: fails) { smallest = smaller }
    return smallest
  }

  /// All programs with one step less.
  private var smaller: [[Element]] {
    var programs: [[Element]] = []
    for (index, step) in enumerated() {
      var others: [[Element]] = step.steps.isEmpty ? [[]] : [[], step.steps]
      for steps in step.steps.smaller { others.append([step.with(steps)]) }
      for other in others {
        var program = self
        program.replaceSubrange(index...index, with: other)
        programs.append(program)
      }
    }
    return programs
  }
}
