/// Makes a failing program with transactions smaller, as long as it still fails.
enum StepShrinker {
  static func shrink(
    _ program: TransactionProgram, while fails: (TransactionProgram) -> Bool
  ) -> TransactionProgram {
    var smallest = program
    while let smaller = candidates(smallest).first(where: fails) { smallest = smaller }
    return smallest
  }

  private static func candidates(_ program: TransactionProgram) -> [TransactionProgram] {
    shorter(program.steps).map { TransactionProgram(traits: program.traits, steps: $0) }
  }

  /// Bodies that are smaller by one thing: the largest pieces first.
  private static func shorter(_ steps: [Step]) -> [[Step]] {
    var candidates: [[Step]] = []
    var length = steps.count / 2
    if steps.count == 1 { candidates.append([]) }
    while length > 0 {
      for start in stride(from: 0, through: steps.count - length, by: length) {
        candidates.append(Array(steps[..<start] + steps[(start + length)...]))
      }
      length /= 2
    }
    for index in steps.indices {
      for simpler in simplifications(of: steps[index]) {
        candidates.append(steps[..<index] + simpler + steps[(index + 1)...])
      }
    }
    return candidates
  }

  /// The steps in place of which there may be one.
  private static func simplifications(of step: Step) -> [[Step]] {
    var simpler: [[Step]] = []
    switch step {
    case .scope(_, _, let body), .pair(_, _, let body), .unrecorded(let body):
      simpler.append(body)
    case .group(let number, let forms):
      simpler += forms.indices.map { index in
        var forms = forms
        forms.remove(at: index)
        return [.group(number, forms)]
      }
    case .bind(var form) where form.conversion != .none:
      form.conversion = .none
      simpler.append([.bind(form)])
    case .transaction(var form, let body):
      simpler.append(body)
      if !form.silenced.isEmpty {
        form.silenced.removeLast()
        simpler.append([.transaction(form, body)])
      }
      if form.passesErrorOn {
        form.passesErrorOn = false
        simpler.append([.transaction(form, body)])
      }
    case .setByKey(let variable, let key, let operand):
      simpler.append([.set(variable, key, operand)])
    case .observe(let watch): simpler += simplifications(of: watch).map { [.observe($0)] }
    default: break
    }
    return simpler
      + shorter(step.body).map { body in
        var step = step
        step.body = body
        return [step]
      }
  }

  private static func simplifications(of watch: Watch) -> [Watch] {
    var simpler: [Watch] = []
    for option in watch.options.sorted() where option != .old && option != .new {
      var changed = watch
      changed.options.remove(option)
      simpler.append(changed)
    }
    if watch.path.count > 1 {
      var changed = watch
      changed.path.removeFirst()
      simpler.append(changed)
    }
    if watch.isString {
      var changed = watch
      changed.isString = false
      simpler.append(changed)
    }
    return simpler
  }
}
