import KeyValueObserving
import Testing

/// Its computed keys depend on each other.
@KeyValueObservable
private final class Sheet {
  var a = 0
  var b: Int { a + 1 }
  var c: Int { b * 10 }
  var other = 0
  var joint: Int { c + other }
  var next: Sheet?
  var nextC: Int { next?.c ?? -1 }
}

/// Computed keys and paths, in the order of a transaction's delivery.
@Suite struct DependentOrderTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.old, .new]
  private let sheet = Sheet()

  @Test("P24, P46: computed keys are delivered behind all keys, each once, with the final values")
  func chain() {
    for names in ["abc", "acb", "bac", "bca", "cab", "cba"] {
      let sheet = Sheet()
      var tokens: [KeyValueObservation] = []
      for name in names {
        switch name {
        case "a": tokens.append(sheet.observe(\.a, options: options, changeHandler: receives("a")))
        case "b": tokens.append(sheet.observe(\.b, options: options, changeHandler: receives("b")))
        default: tokens.append(sheet.observe(\.c, options: options, changeHandler: receives("c")))
        }
      }
      tokens.append(sheet.observe(\.other, options: options, changeHandler: receives("other")))
      withKeyValueTransaction {
        sheet.a = 1
        sheet.other = 5
        sheet.a = 2
      }
      let changes = recorder.take()
      #expect(changes.prefix(2) == ["a 0→2 | 3 30 35", "other 0→5 | 3 30 35"])
      #expect(changes.dropFirst(2).sorted() == ["b 1→3 | 3 30 35", "c 10→30 | 3 30 35"])
      withExtendedLifetime(tokens) {}
    }
  }

  /// Records a change, and what all computed keys are then.
  private func receives(_ name: String) -> (Sheet, KeyValueChange<Int>) -> Void {
    { [recorder] sheet, change in
      recorder.write(
        "\(name) \(change.oldValue!)→\(change.newValue!) | \(sheet.b) \(sheet.c) \(sheet.joint)")
    }
  }

  @Test("P22, P46: a computed key of several inputs, and one through another object, change once")
  func diamond() {
    let owner = Sheet()
    owner.next = sheet
    let tokens = [
      sheet.observe(\.b, options: options, changeHandler: recorder.receives("b")),
      sheet.observe(\.c, options: options, changeHandler: recorder.receives("c")),
      sheet.observe(\.joint, options: options, changeHandler: recorder.receives("joint")),
      owner.observe(\.nextC, options: options, changeHandler: recorder.receives("nextC")),
      sheet.observe(\.a, options: options, changeHandler: recorder.receives("a")),
    ]
    withKeyValueTransaction {
      sheet.a = 1
      sheet.other = 5
    }
    #expect(recorder.take() == ["a 0→1", "b 1→2", "c 10→20", "joint 10→25", "nextC 10→20"])
    withExtendedLifetime((tokens, owner)) {}
  }

  @Test(
    "P25, P26, P46: an intermediate object that was set and set back makes a change of the path")
  func setBack() {
    let (first, second) = (Sheet(), Sheet())
    sheet.next = first
    let tokens = [
      sheet.observe(\.next?.a, options: options, changeHandler: recorder.receives("path"))
    ]
    withKeyValueTransaction { sheet.next = first }
    #expect(recorder.take() == ["path 0→0 path"])
    withKeyValueTransaction {
      sheet.next = second
      second.a = 9
      first.a = 1
      sheet.next = first
    }
    #expect(recorder.take() == ["path 0→1 path"])
    second.a = 8
    first.a = 2
    #expect(recorder.take() == ["path 1→2"])
    withExtendedLifetime((tokens, first, second)) {}
  }
}
