import TestSupport
import Testing

@testable import KeyValueObservingCore

@Suite struct EditCompositions {
  private typealias Composition = ArrayEditComposition<Int>

  /// Composes edits of an array, each of which is applied.
  private func composed(_ edits: [ArrayEdit<Int>], of array: inout [Int]) -> Composition {
    var composition = Composition(count: array.count)
    for edit in edits {
      composition.add(edit, to: array)
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

  /// The difference that observers of the elements receive.
  private func difference(
    _ composition: Composition, to array: [Int]
  ) -> CollectionDifference<Int> {
    composition.edits.difference(
      from: composition.former(of: array), to: array, .byEquality)
  }

  // MARK: Model

  @Test("P49: edits are composed as if each element were followed")
  func model() {
    var random = SplitMix(seed: 49)
    for _ in 0..<10_000 {
      var model = EditedModel(count: Int.random(in: 0...8, using: &random))
      var composition = Composition(count: model.formerCount)
      for _ in 0..<Int.random(in: 1...10, using: &random) {
        let edit = model.randomEdit(&random)
        composition.add(edit, to: model.values)
        model.apply(edit)
      }
      expect(composition, equals: model)
    }
  }

  @Test("P49: edits of nested transactions are composed as if there were one transaction")
  func nested() {
    var random = SplitMix(seed: 490)
    for _ in 0..<3000 {
      var model = EditedModel(count: Int.random(in: 0...8, using: &random))
      var composition = Composition(count: model.formerCount)
      for _ in 0..<3 {
        var inner = Composition(count: model.items.count)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          let edit = model.randomEdit(&random)
          inner.add(edit, to: model.values)
          model.apply(edit)
        }
        composition.add(inner, in: model.values)
      }
      expect(composition, equals: model)
    }
  }

  private func expect(_ composition: Composition, equals model: EditedModel) {
    let edits = composition.edits
    let values = model.values
    let indexes = edits.indexes
    #expect(indexes.removed.places == model.removed)
    #expect(indexes.replaced.places == model.replaced)
    #expect(indexes.inserted.places == model.inserted)
    #expect(edits.count == values.count)
    #expect(edits.kind == model.kind)
    let counts = (edits.removedCount, edits.replacedCount, edits.insertedCount)
    #expect(counts == (model.removed.count, model.replaced.count, model.inserted.count))
    expectRunsInOrder(edits)
    // Each element is brought by one edit, so the difference has all that are not kept.
    let difference = difference(composition, to: values)
    #expect(model.former.applying(difference) == values)
    #expect(difference.removals.count == model.removed.count + model.replaced.count)
    expectRestored(composition, values, model)
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

  private func expectRestored(_ composition: Composition, _ values: [Int], _ model: EditedModel) {
    var restored = values
    let leaving = composition.restore(&restored)
    #expect(restored == model.former)
    let lasting = Set(model.former)
    #expect(Set(leaving) == Set(values).subtracting(lasting))
    switch composition.edits.kind {
    case nil:
      #expect(composition.oldValue(in: values) == nil && composition.newValue(in: values) == nil)
    case .setting:
      #expect(composition.oldValue(in: values) == model.former)
      #expect(composition.newValue(in: values) == values)
      #expect(composition.edits.edit == nil)
    case .some(let kind):
      let edit = composition.edits.edit
      #expect(edit?.kind == kind)
      let former = kind == .insertion ? nil : edit.map { model.former.elements(at: $0) }
      let current = kind == .removal ? nil : edit.map { values.elements(at: $0) }
      #expect(composition.oldValue(in: values) == former)
      #expect(composition.newValue(in: values) == current)
    }
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
    #expect(composition.edits.kind == nil && composition.edits.edits.isEmpty)
    #expect(difference(composition, to: array).isEmpty)
  }

  @Test("P49: a change keeps its kind if only one is left")
  func kinds() {
    func result(_ edits: [ArrayEdit<Int>]) -> (KeyValueChangeKind?, [Int]?) {
      var array = [0, 1, 2, 3, 4, 5]
      let edit = composed(edits, of: &array).edits.edit
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
    #expect(composition.edits.kind == .setting)
    #expect(
      Array(difference(composition, to: array)) == [
        .insert(offset: 2, element: 9, associatedWith: nil)
      ])
    array = [1, 1]
    composition = composed([removal(0..<1), insertion(1..<2, [1])], of: &array)
    #expect(difference(composition, to: array).isEmpty)
    composition = composed([replacement(0..<2, [1, 5])], of: &array)
    #expect(difference(composition, to: array).count == 2)
  }

  @Test("P49: a plain set among the edits makes the change a setting with a compared difference")
  func setting() {
    var array = [1, 2, 3]
    var composition = composed([removal(0..<1), insertion(0..<1, [9])], of: &array)
    composition.addSetting(of: array)
    array = [3, 4]
    composition.add(insertion(2..<3, [5]), to: array)
    array.append(5)
    let another = composed([removal(0..<1)], of: &array)
    composition.add(another, in: array)
    composition.addSetting(of: array)
    array = [3, 4, 5]
    #expect(composition.edits.kind == .setting && composition.edits.edits.isEmpty)
    #expect(composition.oldValue(in: array) == [1, 2, 3])
    #expect(difference(composition, to: array).count == 4)
    #expect(difference(composition, to: []).removals.count == 3)
    #expect(composition.restore(&array) == [3, 4, 5])
    #expect(array == [1, 2, 3])
  }

  @Test("P49: a plain set in a nested transaction leaves the array that the outer one began with")
  func nestedSetting() {
    var array = [1, 2, 3]
    var outer = composed([removal(0..<1)], of: &array)
    var inner = composed([insertion(0..<1, [9])], of: &array)
    inner.addSetting(of: array)
    array = [7]
    outer.add(inner, in: array)
    #expect(outer.edits.kind == .setting)
    #expect(outer.former(of: array) == [1, 2, 3])
    #expect(inner.former(of: array) == [2, 3])
  }

  @Test("P49: edits of an array that another thread has changed make the change a setting")
  func misfit() {
    var random = SplitMix(seed: 94)
    for _ in 0..<1000 {
      var model = EditedModel(count: 6)
      var composition = Composition(count: 6)
      for _ in 0..<5 {
        let edit = model.randomEdit(&random)
        composition.add(edit, to: model.values)
        model.apply(edit)
      }
      var other = Array(repeating: 0, count: Int.random(in: 0...9, using: &random))
      var changed = composition
      changed.add(insertion(100..<101, [1]), to: other)
      #expect(changed.edits.kind == .setting)
      changed = composition
      changed.add(removal(0..<0), to: model.values + [1])
      #expect(changed.edits.kind == .setting)
      changed = composition
      changed.add(Composition(count: model.items.count + 1), in: model.values)
      #expect(changed.edits.kind == .setting)
      #expect(composition.former(of: other).count <= 6 + other.count)
      _ = composition.restore(&other)
    }
    for edit in [
      Edit(.insertion, at: 0..<Int.max), Edit(.removal, at: -1..<1), Edit(.replacement, at: 2..<3),
      Edit(.insertion, at: RangeSet([3..<4, 6..<7])), Edit(.setting, at: nil),
    ] {
      var composition = EditComposition(count: 2)
      composition.add(edit)
      #expect(composition.kind == .setting)
    }
    var composition = EditComposition(count: 2)
    composition.add(EditComposition(count: 3))
    #expect(composition.kind == .setting)
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

  @Test("P49: an array is edited and restored in place")
  func inPlace() {
    func address(_ array: inout [Int]) -> UnsafeMutablePointer<Int>? {
      array.withUnsafeMutableBufferPointer { $0.baseAddress }
    }
    var array = Array(0..<1000)
    array.reserveCapacity(2000)
    let before = address(&array)
    let composition = composed(
      (0..<500).map { insertion((1000 + $0)..<(1001 + $0), [$0]) }
        + [removal(3..<5), replacement(7..<8, [1])], of: &array)
    #expect(address(&array) == before)
    #expect(composition.restore(&array).count == 501)
    #expect(array == Array(0..<1000))
    #expect(address(&array) == before)
  }

  @Test("P50: the elements that leave an array are released after it has been restored")
  func leaving() {
    final class Element {}
    weak var inserted: Element?
    weak var removed: Element?
    var array = [Element()]
    removed = array[0]
    var composition = ArrayEditComposition<Element>(count: 1)
    let first = RangeSet(0..<1)
    let edits = [ArrayEdit<Element>.removal(first), .insertion(first, [Element()])]
    for edit in consume edits {
      composition.add(edit, to: array)
      edit.apply(to: &array)
    }
    inserted = array[0]
    #expect(removed != nil)
    let leaving = composition.restore(&array)
    #expect(inserted != nil)
    #expect(array.count == 1 && array[0] === removed)
    withExtendedLifetime(leaving) {}
    withExtendedLifetime((array, composition)) {}
  }

  @Test("P50: the inverse of an edit takes it back")
  func inverse() {
    var random = SplitMix(seed: 3)
    for _ in 0..<1000 {
      var model = EditedModel(count: Int.random(in: 0...8, using: &random))
      let edit = model.randomEdit(&random)
      var array = model.values
      let inverse = edit.inverse(in: array)
      edit.apply(to: &array)
      inverse.apply(to: &array)
      #expect(array == model.former)
    }
  }
}
