import TestSupport
import Testing

@testable import KeyValueObservingCore

/// A member with a number that does not distinguish it from equal ones.
private struct Member: Hashable {
  let name: Int
  let instance: Int

  static func == (left: Member, right: Member) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite struct SetEditCompositions {
  private typealias Composition = SetEditComposition<Member>

  private func member(_ name: Int, _ instance: Int = 0) -> Member {
    Member(name: name, instance: instance)
  }

  /// A set as the instances of its members, which `==` does not compare.
  private func instances(_ set: Set<Member>) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: set.map { ($0.name, $0.instance) })
  }

  private func randomEdit(
    of set: Set<Member>, _ instance: Int, _ random: inout SplitMix
  ) -> SetEdit<Member> {
    let names = (0..<8).filter { _ in Bool.random(using: &random) }
    let chosen = Set(names.map { member($0, instance) })
    switch Int.random(in: 0...2, using: &random) {
    case 0: return SetEdit(.insertion, added: chosen.subtracting(set))
    case 1: return SetEdit(.removal, removed: set.intersection(chosen))
    default:
      return SetEdit(
        .replacement, removed: set.subtracting(chosen), added: chosen.subtracting(set))
    }
  }

  @Test("P49: edits of a set are composed, in nested transactions too", arguments: [false, true])
  func model(isNested: Bool) {
    var random = SplitMix(seed: 5)
    for _ in 0..<5000 {
      let former = Set((0..<8).filter { _ in Bool.random(using: &random) }.map { member($0) })
      var set = former
      var composition = Composition()
      for level in 1...3 {
        var inner = Composition()
        for step in 0..<3 {
          let edit = randomEdit(of: set, 10 * level + step, &random)
          if isNested { inner.add(edit) } else { composition.add(edit) }
          edit.apply(to: &set)
        }
        if isNested { composition.add(inner, in: set) }
      }
      #expect(instances(composition.removed) == instances(former.subtracting(set)))
      #expect(instances(composition.added) == instances(set.subtracting(former)))
      #expect((composition.kind == nil) == (set == former))
      let entering = Set(set.map(\.instance)).subtracting([0])
      #expect(instances(composition.former(of: set)) == instances(former))
      let leaving = composition.restore(&set)
      #expect(instances(set) == instances(former))
      #expect(Set(leaving.map(\.instance)) == entering)
    }
  }

  @Test("P49: a change of a set keeps its kind if only one is left")
  func kinds() {
    func kind(_ edits: SetEdit<Member>...) -> KeyValueChangeKind? {
      var composition = Composition()
      for edit in edits { composition.add(edit) }
      return composition.kind
    }
    let insertion = SetEdit(.insertion, added: [member(1), member(2)])
    let undone = SetEdit(.removal, removed: [member(1), member(2)])
    let removal = SetEdit(.removal, removed: [member(7)])
    let replacement = SetEdit(.replacement, removed: [member(8)], added: [member(9)])
    #expect(kind(insertion) == .insertion)
    #expect(kind(insertion, SetEdit(.removal, removed: [member(1)])) == .insertion)
    #expect(kind(insertion, undone) == nil)
    #expect(kind(removal, SetEdit(.insertion, added: [member(7)])) == nil)
    #expect(kind(removal, insertion) == .setting)
    #expect(kind(insertion, removal, undone) == .removal)
    #expect(kind(replacement) == .replacement)
    #expect(kind(replacement, insertion) == .setting)
    #expect(kind(insertion, undone, replacement) == .replacement)
  }

  @Test("P49: a plain set among the edits of a set makes the change a setting")
  func setting() {
    var set: Set = [member(1)]
    var outer = Composition()
    let edit = SetEdit(.insertion, added: [member(2)])
    outer.add(edit)
    edit.apply(to: &set)
    var inner = Composition()
    inner.addSetting(of: set)
    set = [member(1, 5), member(3)]
    outer.add(inner, in: set)
    outer.add(SetEdit(.removal, removed: [member(3)]))
    set.remove(member(3))
    outer.addSetting(of: set)
    inner.add(SetEdit(.insertion, added: [member(4)]))
    #expect(outer.removed.isEmpty && inner.added.isEmpty)
    #expect(outer.kind == .setting && inner.kind == .setting)
    #expect(outer.restore(&set) == [member(1)])
    #expect(instances(set) == [1: 0])
  }
}
