import KeyValueObserving
import Testing

@KeyValueObservable
private final class Basket {
  var items = ["a"]
  var marks: Set<Int> = [1]
  var next: Basket?
}

/// Observers with `distinct` that miss a change, because it began before they were registered (P13).
@Suite struct MissedChangeTests {
  private let recorder = Recorder()
  private let options: KeyValueObservation.Options = [.new, .distinct]
  private let basket = Basket()
  private let root = Basket()

  /// How an observer observes the array.
  enum Surface: CaseIterable {
    case key, stringKey, keyPath, stringPath
  }

  init() { root.next = basket }

  private func observe(_ surface: Surface) throws -> KeyValueObservation {
    switch surface {
    case .key:
      basket.observe(\.items, options: options, changeHandler: recorder.receives("·"))
    case .stringKey:
      try basket.observe("items", options: options, changeHandler: recorder.receives("·"))
    case .keyPath:
      root.observe(\.next!.items, options: options, changeHandler: recorder.receives("·"))
    case .stringPath:
      try root.observe("next.items", options: options, changeHandler: recorder.receives("·"))
    }
  }

  /// Inserts at an index that the array with which the observer was registered has as well, and sets the arrays
  /// that result from it, and from the insertion into that one.
  private func insertAndSet() {
    _ = recorder.take()
    basket.mutableArrayValue(for: \.items).insert("x", at: 1)
    #expect(recorder.take() == [#"· →["x"] insertion [1]"#])
    basket.items = ["c", "x", "d"]
    #expect(recorder.take() == [])
    basket.items = ["b", "x"]
    #expect(recorder.take() == [#"· →["b", "x"]"#])
  }

  @Test(
    "P9, P13: distinct knows the value that a mutation block has left", arguments: Surface.allCases)
  func block(surface: Surface) throws {
    var token: KeyValueObservation?
    for isObserved in [false, true] {
      let other = isObserved ? basket.observe(\.items) { _, _ in } : nil
      try basket.withMutation(of: \.items) {
        basket.items = ["b"]
        token = try observe(surface)
        basket.items = ["c", "d"]
      }
      insertAndSet()
      withExtendedLifetime(other) {}
    }
    withExtendedLifetime((token, root)) {}
  }

  @Test("P9, P13, P19: distinct knows the value that a pair has left")
  func pair() {
    let raw = HiddenBasket()
    let first = raw.observe(\.items) { _, _ in }
    raw.willChangeValue(for: \.items)
    raw.stored = ["b"]
    let token = raw.observe(\.items, options: options, changeHandler: recorder.receives("·"))
    raw.stored = ["c", "d"]
    raw.didChangeValue(for: \.items)
    raw.stored.insert("x", at: 1)
    raw.willChange(.insertion, valuesAt: RangeSet(1..<2), for: \.items)
    raw.didChange(.insertion, valuesAt: RangeSet(1..<2), for: \.items)
    #expect(recorder.take() == [#"· →["x"] insertion [1]"#])
    for (value, isDelivered) in [
      (["b", "x"], true), (["c", "x", "d"], true), (["c", "x", "d"], false),
    ] {
      raw.willChangeValue(for: \.items)
      raw.stored = value
      raw.didChangeValue(for: \.items)
      #expect(recorder.take() == (isDelivered ? ["· →\(value)"] : []))
    }
    withExtendedLifetime((first, token)) {}
  }

  @Test(
    "P9, P13: distinct knows the value of a set in whose prior notification it was registered",
    arguments: Surface.allCases)
  func prior(surface: Surface) throws {
    basket.items = ["b"]
    var token: KeyValueObservation?
    let first = basket.observe(\.items, options: .prior) { _, change in
      if change.isPrior, token == nil { token = try? observe(surface) }
    }
    basket.items = ["c", "d"]
    insertAndSet()
    withExtendedLifetime((first, token, root)) {}
  }

  @MainActor
  @Test("P9, P13, P40: distinct knows the value that a mutation block on its actor has left")
  func onActor() {
    var token: KeyValueObservation?
    basket.withMutation(of: \.items) {
      basket.items = ["b"]
      token = basket.observe(
        \.items, options: [.initial, .new, .distinct], changeHandler: recorder.receives("·"))
      basket.items = ["c", "d"]
    }
    insertAndSet()
    withExtendedLifetime(token) {}
  }

  @Test("P9, P13: distinct knows the set that a mutation block has left")
  func members() {
    var token: KeyValueObservation?
    basket.withMutation(of: \.marks) {
      token = basket.observe(\.marks, options: options, changeHandler: recorder.receives("·"))
      basket.marks = [2]
    }
    basket.mutableSetValue(for: \.marks).insert(3)
    #expect(recorder.take() == ["· →[3] insertion"])
    basket.marks = [3, 2]
    #expect(recorder.take() == [])
    basket.marks = [1, 3]
    #expect(recorder.take().count == 1)
    withExtendedLifetime(token) {}
  }

  @Test(
    "P9: distinct drops a set to the value that it was registered with, and knows it after that")
  func formerValue() {
    var token: KeyValueObservation?
    basket.withMutation(of: \.items) {
      token = basket.observe(\.items, options: options, changeHandler: recorder.receives("·"))
      basket.items = ["c", "d"]
    }
    basket.items = ["a"]
    #expect(recorder.take() == [])
    basket.mutableArrayValue(for: \.items).append("x")
    basket.items = ["a", "x"]
    #expect(recorder.take() == [#"· →["x"] insertion [1]"#])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P9, P53: distinct knows the value at the end of the transaction in which it was registered",
    arguments: Surface.allCases)
  func transaction(surface: Surface) throws {
    var token: KeyValueObservation?
    try withKeyValueTransaction {
      basket.items = ["a", "b"]
      try basket.withMutation(of: \.items) {
        basket.items = ["b"]
        token = try observe(surface)
        basket.items = ["c", "d"]
      }
    }
    insertAndSet()
    withExtendedLifetime((token, root)) {}
  }

  @Test("P9, P11: an edit that waits is not taken for a missed change")
  func waiting() {
    var token: KeyValueObservation?
    let tokens = [
      basket.observe(\.items) { basket, _ in if basket.items == ["b"] { basket.items = ["c", "d"] }
      },
      basket.observe(\.items) { basket, _ in
        if token == nil {
          token = basket.observe(\.items, options: options, changeHandler: recorder.receives("·"))
          basket.mutableArrayValue(for: \.items).insert("x", at: 1)
        }
      },
    ]
    basket.items = ["b"]
    #expect(recorder.take() == [#"· →["x"] insertion [1]"#])
    basket.items = ["c", "x", "d"]
    #expect(recorder.take() == [])
    withExtendedLifetime((tokens, token)) {}
  }
}

@KeyValueObservable
private final class HiddenBasket {
  @KeyValueIgnored var stored = ["a"]
  var items: [String] { stored }
}
