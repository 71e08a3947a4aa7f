import KeyValueObserving

/// A binding as the model follows it.
private struct ModelBinding {
  let first: ItemPlace
  let second: ItemPlace
  let form: BindingForm
  /// The time at which it was made; 0 if that was in an earlier step.
  let start: Int

  /// The other side of a place, with the value that a number becomes there; nil if nothing is written.
  func write(_ number: Int, from place: ItemPlace) -> (place: ItemPlace, number: Int)? {
    if place == first { return form.conversion.convert(number).map { (second, $0) } }
    guard place == second, !form.isOneWay else { return nil }
    return form.conversion.convertBack(number).map { (first, $0) }
  }
}

/// Bindings that form no rings, and write the sets of one step: set by set, in the order of the last
/// set of each property (P63…P68).
private struct BindingModel {
  let bindings: [ModelBinding]
  /// The time of the last set of each side.
  let times: [ItemPlace: Int]
  /// The values, before bindings write at first.
  var values: [ItemPlace: Int]

  mutating func run() {
    let sets = times.map { (time: $1, place: $0, copy: ModelBinding?.none) }
    let copies = bindings.filter { $0.start > 0 }.map {
      (time: $0.start, place: $0.first, copy: $0)
    }
    for set in (sets + copies).sorted(by: { $0.time < $1.time }) {
      if let copy = set.copy {
        write(by: copy, from: set.place, at: set.time)
      } else {
        passOn(set.place, butTo: nil, at: set.time)
      }
    }
  }

  private mutating func passOn(_ place: ItemPlace, butTo former: ItemPlace?, at time: Int) {
    for binding in bindings where binding.start < time {
      if former != binding.first, former != binding.second {
        write(by: binding, from: place, at: time)
      }
    }
  }

  private mutating func write(by binding: ModelBinding, from place: ItemPlace, at time: Int) {
    guard let write = values[place].flatMap({ binding.write($0, from: place) }),
      values[write.place] != write.number,
      // A later set wins.
      times[write.place, default: 0] < time
    else { return }
    values[write.place] = write.number
    passOn(write.place, butTo: place, at: time)
  }
}

extension TransactionRun {
  /// Compares the values of all sides with those of the model.
  func checkBoundValues(_ step: Step, before: ProgramState) {
    if step == .undo || step == .redo { return }
    let bindings = modelBindings(step)
    let places = Set(bindings.flatMap { [$0.first, $0.second] })
    let touched = touches[0].places
    var model = BindingModel(
      bindings: bindings, times: touched.filter { places.contains($0.key) }.mapValues(\.last),
      values: [:])
    for place in places {
      let value = touched[place] == nil ? before[place] : valuesBeforeBindings[place]
      if case .number(let number)? = value { model.values[place] = number }
    }
    model.run()
    let present = state
    for place in places where present[place] != model.values[place].map({ .number($0) }) {
      fail("\(place) is \(present[place]), not \(model.values[place] ?? -1) (P65)")
    }
  }

  private func modelBindings(_ step: Step) -> [ModelBinding] {
    var found: [ModelBinding] = []
    func add(_ form: BindingForm, _ source: Int, start: Int) {
      guard let first = item(source), let second = item(form.second.root) else { return }
      found.append(
        ModelBinding(
          first: ItemPlace(first, form.first.path[0]),
          second: ItemPlace(second, form.second.path[0]), form: form, start: start))
    }
    for (form, token) in bindings.values where token.isActive {
      add(form, form.first.root, start: step == .bind(form) ? 1 : 0)
    }
    for group in groups.values {
      guard let source = group.source else { continue }
      for form in group.forms { add(form, source, start: group.start) }
    }
    return found
  }
}
