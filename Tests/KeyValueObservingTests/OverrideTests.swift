import KeyValueObserving
import Testing

@KeyValueObservable
class Estimate {
  var base = 1
  var other: Estimate?
  var total: Int? { base > 5 ? nil : base }
  var frame: Frame? { base > 5 ? nil : Frame(size: .init(width: Double(base))) }
}

/// Has values where the superclass may have none, as Swift lets it.
@KeyValueObservable
final class Exact: Estimate {
  override var total: Int {
    soilStack(20)
    return base
  }
  override var frame: Frame {
    soilStack(20)
    return Frame(size: .init(width: Double(base)))
  }
}

@KeyValueObservable
private class Crate {
  var weight = 1
  var labels = ["a"]
  weak var owner: Crate?
}

/// Adds observers to what it inherits; so key paths to that are its own, as the class is final.
@KeyValueObservable
private final class Box: Crate {
  override var weight: Int {
    didSet { if weight > 9 { weight = 9 } }
  }
  override var labels: [String] {
    willSet {}
  }
  override weak var owner: Crate? {
    didSet {}
  }
}

@KeyValueObservable
private final class Store {
  var box: Box?
}

/// Leaves bytes behind that are not zero, which a read past a value would find.
@inline(never)
private func soilStack(_ depth: Int) {
  withUnsafeTemporaryAllocation(byteCount: 1000, alignment: 16) { bytes in
    for index in bytes.indices { bytes[index] = 0xFF }
    if depth > 0 { soilStack(depth - 1) }
  }
}

/// Does more with what it inherits, in one change.
@KeyValueObservable
private final class Pallet: Crate {
  var heaviest = 1
  override var weight: Int {
    get { super.weight }
    set {
      withMutation(of: \.weight) {
        super.weight = min(newValue, 100)
        heaviest = max(heaviest, super.weight)
      }
    }
  }
}

extension AllTests {
  @Suite("Overrides")
  struct OverrideTests {
    private let recorder = Recorder()

    @Test(
      "P21: a property that a subclass narrows to another type is delivered in the requested type")
    func narrowed() throws {
      let exact = Exact()
      let estimate: Estimate = exact
      let tokens = [
        estimate.observe(
          \.total, options: [.old, .new], changeHandler: recorder.receives("as Int?")),
        exact.observe(\.total, options: [.old, .new], changeHandler: recorder.receives("as Int")),
        try estimate.observe(
          "total", options: [.old, .new], changeHandler: recorder.receives("as Any?")),
        estimate.onChange(of: \.total, \.frame) { recorder.write("some") },
      ]
      exact.base = 7
      #expect(
        Set(recorder.take()) == ["as Int? 1→7", "as Int 1→7", "as Any? 1→7", "some"])
      tokens.forEach { $0.invalidate() }
      exact.base = 8
      #expect(recorder.take() == [])
    }

    @Test("P19: a property that a subclass narrows is changed by hand through either class")
    func narrowedByHand() {
      let exact = Exact()
      let estimate: Estimate = exact
      let tokens = [
        estimate.observe(\.total, options: .new, changeHandler: recorder.receives("as Int?")),
        exact.observe(\.total, options: .new, changeHandler: recorder.receives("as Int")),
      ]
      estimate.withMutation(of: \.total) {}
      #expect(Set(recorder.take()) == ["as Int? →1", "as Int →1"])
      exact.willChangeValue(for: \.total)
      exact.didChangeValue(for: \.total)
      #expect(Set(recorder.take()) == ["as Int? →1", "as Int →1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P15: nothing is read but the value, where a subclass narrows a property")
    func narrowedValues() {
      let exact = Exact()
      let start = Estimate()
      start.other = exact
      var widths: [Double?] = []
      let tokens = [
        (exact as Estimate).observe(\.total, options: [.old, .new]) { _, _ in },
        (exact as Estimate).observe(\.frame, options: [.old, .new]) { _, change in
          widths.append(change.newValue??.size.width)
          widths.append(change.oldValue??.size.width)
        },
        start.observe(\.other?.frame, options: [.old, .new]) { _, change in
          widths.append(change.newValue??.size.width)
          widths.append(change.oldValue??.size.width)
        },
      ]
      exact.base = 7
      #expect(widths == [7, 1, 7, 1])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P24: an override that sets in a mutation block notifies when all of it is set")
    func setInBlock() throws {
      let pallet = Pallet()
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        pallet.observe(\.weight, options: options) { pallet, change in
          self.recorder.write("\(change.newValue ?? 0) of \(pallet.heaviest)")
        },
        try pallet.observe("weight", options: options, changeHandler: recorder.receives("key")),
      ]
      pallet.weight = 3
      #expect(recorder.take() == ["3 of 3", "key 1→3"])
      pallet.weight = 200
      #expect(recorder.take() == ["100 of 100", "key 3→100"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19: a property to which a final class adds observers is changed by hand")
    func observedByHand() {
      let box = Box()
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        box.observe(\.weight, options: options, changeHandler: recorder.receives("box")),
        (box as Crate).observe(
          \.weight, options: options, changeHandler: recorder.receives("crate")),
      ]
      box.withMutation(of: \.weight) {
        box.weight = 2
        box.weight = 3
      }
      #expect(recorder.take() == ["box 1→3", "crate 1→3"])
      box.willChangeValue(for: \.weight)
      box.didChangeValue(for: \.weight)
      #expect(recorder.take() == ["box 3→3", "crate 3→3"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P27, P35: a final class that adds observers to a property notifies of mutations and deallocation"
    )
    func observedKinds() {
      let box = Box()
      let store = Store()
      store.box = box
      let options: KeyValueObservation.Options = [.old, .new]
      let tokens = [
        box.observe(\.labels, options: options, changeHandler: recorder.receives("box")),
        store.observe(\.box?.labels, options: options, changeHandler: recorder.receives("store")),
        box.observe(\.owner?.weight, options: options, changeHandler: recorder.receives("owner")),
      ]
      box.mutableArrayValue(for: \.labels).append("b")
      #expect(recorder.take() == [#"box →["b"] insertion [1]"#, #"store →["b"] insertion [1]"#])
      var owner: Crate? = Crate()
      box.owner = owner
      owner = nil
      #expect(recorder.take() == ["owner nil→1 path", "owner 1→nil path"])
      withExtendedLifetime(tokens) {}
    }
  }
}
