import KeyValueObserving
import Testing

@KeyValueObservable
private class Part {
  var name = "part"
  var number = 1
  var sizes = [1]
  var label: String?
  var next: Part?
}

/// Overrides stored properties, and the macro does not see it.
private final class Unlisted: Part {
  override var name: String {
    get { super.name + "\(number)" }
    set { super.name = newValue }
  }
  override var sizes: [Int] {
    get { super.sizes + [number] }
    set { super.sizes = newValue }
  }
}

@KeyValueObservable
private final class Listed: Part {
  override var name: String {
    get { super.name + "\(number)" }
    set { super.name = newValue }
  }
  override var label: String? {
    get { super.label.map { $0 + "\(number)" } }
    set { super.label = newValue }
  }
  var spare: Part?
  override var next: Part? {
    get { super.next ?? spare }
    set { super.next = newValue }
  }
}

extension AllTests {
  @Suite("Stored keys that a subclass computes")
  struct OverriddenKeyTests {
    private let recorder = Recorder()
    private let root = Part()

    @Test("P21: a string path takes what an unlisted getter reads for no value of its last key")
    func unlisted() throws {
      let part = Unlisted()
      root.next = part
      let tokens = [
        try root.observe(
          "next.name", options: [.old, .new], changeHandler: recorder.receives("name")),
        try root.observe("next.sizes", options: .new, changeHandler: recorder.receives("sizes")),
      ]
      part.number = 2
      #expect(recorder.take() == ["name part1→part2", "sizes →[1, 2]"])
      part.name = "wheel"
      part.sizes = [7]
      #expect(recorder.take() == ["name part2→wheel2", "sizes →[7, 2]"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P22, P30: a path to a key with other observers receives the key's inputs once",
      arguments: [true, false])
    func once(isPathFirst: Bool) throws {
      let part = Listed()
      root.next = part
      let options: KeyValueObservation.Options = [.old, .new]
      var tokens: [KeyValueObservation] = []
      func observeKey() {
        tokens.append(
          part.observe(\.name, options: options, changeHandler: recorder.receives("key")))
      }
      if !isPathFirst { observeKey() }
      tokens.append(
        root.observe(\.next?.name, options: options, changeHandler: recorder.receives("typed")))
      tokens.append(
        try root.observe("next.name", options: options, changeHandler: recorder.receives("string")))
      if isPathFirst { observeKey() }
      part.number = 2
      #expect(
        recorder.take().sorted() == [
          "key part1→part2", "string part1→part2", "typed part1→part2",
        ])
      part.name = "wheel"
      #expect(
        recorder.take().sorted() == [
          "key part2→wheel2", "string part2→wheel2", "typed part2→wheel2",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P21: what a getter reads besides the property that it overrides is found anew by a set")
    func foundAnew() {
      let part = Listed()
      let token = part.observe(
        \.label, options: [.old, .new], changeHandler: recorder.receives("label"))
      part.number = 2
      #expect(recorder.take() == [])
      part.label = "a"
      part.number = 3
      #expect(recorder.take() == ["label nil→a2", "label a2→a3"])
      part.label = nil
      part.number = 4
      #expect(recorder.take() == ["label a3→nil"])
      token.invalidate()
    }

    @Test("P26: what a link that a subclass computes reads is a change of the path")
    func computedLink() throws {
      let part = Listed()
      part.spare = Part()
      root.next = part
      let tokens = [
        root.observe(\.next?.next?.name, options: .new, changeHandler: recorder.receives("typed")),
        try root.observe(
          "next.next.name", options: .new, changeHandler: recorder.receives("string")),
      ]
      part.spare?.name = "spare"
      #expect(recorder.take() == ["typed →spare", "string →spare"])
      part.spare = Part()
      #expect(recorder.take() == ["typed →part path", "string →part path"])
      part.next = Part()
      #expect(recorder.take() == ["typed →part path", "string →part path"])
      part.spare = nil
      #expect(recorder.take() == [])
      withExtendedLifetime(tokens) {}
    }
  }
}
