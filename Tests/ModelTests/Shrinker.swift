/// Makes a failing program smaller, as long as it still fails.
enum Shrinker {
  static func shrink(_ program: Program, while fails: (Program) -> Bool) -> Program {
    var smallest = program
    while let smaller = candidates(smallest).first(where: fails) { smallest = smaller }
    return smallest
  }

  /// Programs that are smaller by one thing: the largest pieces first.
  private static func candidates(_ program: Program) -> [Program] {
    let statements = program.statements
    var candidates: [Program] = []
    var length = statements.count / 2
    while length > 0 {
      for start in stride(from: 0, through: statements.count - length, by: length) {
        var shorter = statements
        shorter.removeSubrange(start..<(start + length))
        candidates.append(Program(statements: shorter))
      }
      length /= 2
    }
    for place in statements.indices {
      for simpler in simplifications(of: statements[place]) {
        var changed = statements
        changed[place] = simpler
        candidates.append(Program(statements: changed))
      }
    }
    return candidates
  }

  private static func simplifications(of statement: Statement) -> [Statement] {
    switch statement {
    case .burst(let variable, let key, let numbers):
      [.set(variable, key, .number(numbers.lowerBound))]
        + (numbers.count > 1
          ? [
            .burst(variable, key, numbers.prefix(numbers.count / 2)),
            .burst(variable, key, numbers.dropLast()),
          ]
          : [])
    case .scope(let variable, let key, let body):
      body
        + body.indices.map { .scope(variable, key, body.removing(at: $0)) }
        + body.indices.flatMap { place in
          simplifications(of: body[place]).map {
            .scope(variable, key, body.replacing(place, with: $0))
          }
        }
    case .edit(let variable, let edit, let form):
      form == .proxy ? [] : [.edit(variable, edit, by: .proxy)]
    case .will(let variable, let key, true): [.will(variable, key, byKey: false)]
    case .did(let variable, let key, true): [.did(variable, key, byKey: false)]
    case .observe(let registration): simplifications(of: registration).map { .observe($0) }
    default: []
    }
  }

  private static func simplifications(of registration: Registration) -> [Registration] {
    var simpler: [Registration] = []
    for place in registration.actions.indices {
      var changed = registration
      changed.actions.remove(at: place)
      simpler.append(changed)
      for action in simplifications(of: registration.actions[place]) {
        changed = registration
        changed.actions[place] = action
        simpler.append(changed)
      }
    }
    for place in registration.priorActions.indices {
      var changed = registration
      changed.priorActions.remove(at: place)
      simpler.append(changed)
    }
    for option in registration.options.sorted() {
      var changed = registration
      changed.options.remove(option)
      simpler.append(changed)
    }
    if registration.path.count > 1 {
      var changed = registration
      changed.path.removeFirst()
      simpler.append(changed)
    }
    if registration.surface != .typed {
      var changed = registration
      changed.surface = .typed
      simpler.append(changed)
    }
    return simpler
  }
}

extension Array {
  fileprivate func removing(at place: Int) -> [Element] {
    var rest = self
    rest.remove(at: place)
    return rest
  }

  fileprivate func replacing(_ place: Int, with element: Element) -> [Element] {
    var changed = self
    changed[place] = element
    return changed
  }
}
