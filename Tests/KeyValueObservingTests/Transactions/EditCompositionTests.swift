import TestSupport
import Testing

@testable import KeyValueObservingCore

@Suite struct EditCompositions {
  /// Composes edits of an array, each of which is applied.
  private func composed(_ edits: [ArrayEdit<Int>], of array: inout [Int]) -> EditComposition {
    var composition = EditComposition(count: array.count)
    for edit in edits {
      composition.add(edit.edit)
      edit.apply(to: &array)
    }
    return composition
  }

  private func insertion(_ range: Range<Int>, _ elements: [Int]) -> ArrayEdit<Int> {
    .insertion(RangeSet(range), elements)
  }

  private func removal(_ range: Range<Int>) -> ArrayEdit<Int> { .removal(RangeSet(range)) }

  private func replacement(_ range: Range<Int>, _ elements: [Int]) -> ArrayEdit<Int> {
    .replacement(RangeSet(range), elements)
  }

  // MARK: Model

  @Test("P49: edits are composed as if each element were followed")
  func model() {
    var random = SplitMix(seed: 49)
    for _ in 0..<10_000 {
      var model = EditedModel(count: Int.random(in: 0...8, using: &random))
      var composition = EditComposition(count: model.formerCount)
      for _ in 0..<Int.random(in: 1...10, using: &random) {
        let edit = model.randomEdit(&random)
        composition.add(edit.edit)
        model.apply(edit)
      }
      expect(composition, equals: model)
    }
  }

  /// The composed change, if it is one edit.
  private func onlyEdit(of composition: EditComposition) -> Edit? {
    composition.edits.count == 1 ? composition.edits[0] : nil
  }

  private func expect(_ composition: EditComposition, equals model: EditedModel) {
    let values = model.values
    let indexes = composition.indexes
    #expect(indexes.removed.places == model.removed)
    #expect(indexes.replaced.places == model.replaced)
    #expect(indexes.inserted.places == model.inserted)
    #expect(composition.count == values.count)
    #expect(composition.kind == model.kind)
    expectRunsInOrder(composition)
    // Each element is brought by one edit, so the difference has all that are not kept.
    let difference = composition.difference(from: model.former, to: values, .byEquality)
    #expect(model.former.applying(difference) == values)
    #expect(difference.removals.count == model.removed.count + model.replaced.count)
    let edit = onlyEdit(of: composition)
    #expect(edit?.kind == (model.kind == .setting ? nil : model.kind))
    if let edit, let kind = model.kind {
      let places = [
        .insertion: model.inserted, .removal: model.removed, .replacement: model.replaced,
      ][kind]
      #expect(edit.places == places)
    }
  }

  private func expectRunsInOrder(_ edits: EditComposition) {
    var last: EditRun.Kind?
    var ends = (former: 0, current: 0)
    edits.forEachRun { position in
      #expect(position.formerIndexes.lowerBound == ends.former)
      #expect(position.indexes.lowerBound == ends.current)
      #expect(position.run.kind != last && !position.run.isEmpty)
      ends = (position.formerIndexes.upperBound, position.indexes.upperBound)
      last = position.run.kind
    }
    #expect(ends == (edits.formerCount, edits.count))
  }

  // MARK: Kinds

  @Test("P49: an element that is inserted and removed again is in no difference")
  func cancellation() {
    var array = [1, 2, 3]
    let composition = composed(
      [
        insertion(1..<3, [8, 9]), replacement(2..<3, [7]), removal(1..<2), removal(1..<2),
      ], of: &array)
    #expect(array == [1, 2, 3])
    #expect(composition.kind == nil && composition.edits.isEmpty)
    #expect(composition.difference(from: [1, 2, 3], to: array, .byEquality).isEmpty)
  }

  @Test("P49: a change keeps its kind if only one is left")
  func kinds() {
    func result(_ edits: [ArrayEdit<Int>]) -> (KeyValueChangeKind?, [Int]?) {
      var array = [0, 1, 2, 3, 4, 5]
      let edit = onlyEdit(of: composed(edits, of: &array))
      return (edit?.kind, edit?.places)
    }
    #expect(
      result([insertion(6..<7, [9]), insertion(0..<1, [8]), replacement(0..<1, [7])])
        == (.insertion, [0, 7]))
    #expect(result([removal(4..<5), removal(0..<1), removal(0..<1)]) == (.removal, [0, 1, 4]))
    #expect(
      result([replacement(2..<3, [9]), insertion(0..<1, [8]), removal(0..<1)])
        == (.replacement, [2]))
    #expect(result([replacement(2..<3, [9]), removal(1..<4)]) == (.removal, [1, 2, 3]))
    #expect(result([removal(2..<3), insertion(2..<3, [9])]) == (nil, nil))
  }

  @Test("P37: an element that is removed and inserted again is in no difference")
  func reinsertion() {
    var array = [1, 2, 3, 4]
    var composition = composed([removal(1..<3), insertion(1..<4, [2, 9, 3])], of: &array)
    #expect(composition.kind == .setting)
    #expect(
      Array(composition.difference(from: [1, 2, 3, 4], to: array, .byEquality)) == [
        .insert(offset: 2, element: 9, associatedWith: nil)
      ])
    array = [1, 1]
    composition = composed([removal(0..<1), insertion(1..<2, [1])], of: &array)
    #expect(composition.difference(from: [1, 1], to: array, .byEquality).isEmpty)
    composition = composed([replacement(0..<2, [1, 5])], of: &array)
    #expect(composition.difference(from: [1, 1], to: array, .byEquality).count == 2)
  }

  @Test("P49: edits of an array that another thread has changed make the change a setting")
  func misfit() {
    for edit in [
      Edit(.insertion, at: 0..<Int.max), Edit(.removal, at: -1..<1), Edit(.replacement, at: 2..<3),
      Edit(.insertion, at: RangeSet([3..<4, 6..<7])), Edit(.setting, at: nil),
    ] {
      var composition = EditComposition(count: 2)
      composition.add(edit)
      #expect(composition.kind == .setting && composition.edits.isEmpty)
      // Then arrays are compared.
      let difference = composition.difference(from: [1, 2], to: [2, 3], .byEquality)
      #expect([1, 2].applying(difference) == [2, 3])
    }
    var composition = EditComposition(count: 2)
    composition.add(Edit(.removal, at: 0..<1))
    let difference = composition.difference(from: [1, 2, 3], to: [1, 3], .byEquality)
    #expect([1, 2, 3].applying(difference) == [1, 3])
  }

  // MARK: Time and memory

  @Test("P49: the tree of runs stays shallow, whatever the order of the edits", arguments: 0..<5)
  func depth(order: Int) {
    var random = SplitMix(seed: 7)
    let count = 20_000
    var edits = EditComposition(count: 2 * count)
    for step in 0..<count {
      let length = edits.count
      switch order {
      case 0: edits.add(Edit(.removal, at: step..<(step + 1)))  // every second element
      case 1: edits.add(Edit(.insertion, at: (2 * step)..<(2 * step + 1)))
      case 2: edits.add(Edit(.replacement, at: (length - 2 * step - 1)..<(length - 2 * step)))
      case 3:
        let index = Int.random(in: 0..<length, using: &random)
        edits.add(Edit(step % 2 == 0 ? .insertion : .removal, at: index..<(index + 1)))
      default:
        let index = step % 2 == 0 ? step : length - step
        edits.add(Edit(.insertion, at: index..<(index + 1)))
      }
    }
    #expect(edits.runs.runCount > count)
    #expect(edits.runs.runCount <= 2 * count + 1)
    #expect(edits.runs.depth < 80)
  }

  @Test("P49: edits that adjoin each other are one run")
  func adjoining() {
    var edits = EditComposition(count: 1000)
    for _ in 0..<500 {
      edits.add(Edit(.removal, at: 0..<1))
      edits.add(Edit(.insertion, at: 0..<1))
      edits.add(Edit(.insertion, at: edits.count..<(edits.count + 1)))
      edits.add(Edit(.insertion, at: 0..<1))
    }
    #expect(edits.runs.runCount == 3)
    #expect(edits.runs.depth <= 3)
    #expect(edits.runs.nodeCapacity < 20)
  }
}

extension EditComposition {
  /// The kind of the composed change: that of all that is left, else `setting`; nil if nothing is left.
  fileprivate var kind: KeyValueChangeKind? {
    if !isExact { return .setting }
    return edits.count > 1 ? .setting : edits.first?.kind
  }
}
