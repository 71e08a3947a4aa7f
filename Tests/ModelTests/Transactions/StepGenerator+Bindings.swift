// Bindings that convert values. They form no rings, in which converters may have no values that agree.
extension StepGenerator {
  // An undo writes to a side that has not changed since the history began, as to one that it does not record.
  var hasBindingGroups: Bool { traits == [.bindings, .conversions] }

  /// Groups of bindings to properties that nothing else is bound to.
  mutating func bindingGroups() -> [Step] {
    let last = TransactionProgram.variableCount - 1
    var forms = [ItemKey.x, .mark].map { key in
      form(
        from: BindingForm.Side(root: 0, path: [random.pick([.x, .y, .mark])]),
        to: BindingForm.Side(root: last, path: [key]))
    }
    for form in forms { targets.append((last, form.second.path[0])) }
    groupCount = 1 + random.below(2)
    if groupCount == 1 { return [.group(0, forms)] }
    let other = forms.removeLast()
    return [.group(0, forms), .group(1, [other])]
  }

  mutating func source() -> Step {
    let variable = random.below(TransactionProgram.variableCount - 1)
    return .source(group: random.below(groupCount), random.chance(20) ? nil : variable)
  }

  mutating func convertingBinding() -> Step {
    let (first, second) = (side(), side())
    let (one, other) = (sides(boundTo: first), sides(boundTo: second))
    if one.contains(second) { return .unbind(random.below(4)) }
    boundSides.removeAll { $0 == one || $0 == other }
    boundSides.append(one.union(other))
    for side in [first, second] { targets.append((side.root, side.path[0])) }
    return .bind(form(from: first, to: second))
  }

  private mutating func side() -> BindingForm.Side {
    BindingForm.Side(
      root: random.below(TransactionProgram.variableCount - 1),
      path: [random.pick([.x, .y, .mark])])
  }

  private func sides(boundTo side: BindingForm.Side) -> Set<BindingForm.Side> {
    boundSides.first { $0.contains(side) } ?? [side]
  }

  private mutating func form(
    from first: BindingForm.Side, to second: BindingForm.Side
  ) -> BindingForm {
    defer { bindings += 1 }
    return BindingForm(
      number: bindings, first: first, second: second,
      conversion: random.pick(Conversion.allCases), isOneWay: random.chance(25))
  }
}

// Undo with names, and changes that are not recorded.
extension StepGenerator {
  mutating func nameGroup() -> Step { .nameGroup(random.pick(["a", "b", "c"])) }

  mutating func ofGroups() -> Step {
    switch random.below(6) {
    case 0: .removeAllGroups
    case 1, 2: .endCoalescing
    default: nameGroup()
    }
  }
}
