import KeyValueObserving
import Testing

/// Has a computed property whose getter records that it is read, as a class that is `Observable`
/// may.
private final class Weighbridge: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  private let canary: Canary
  private var storedWeight = 0
  private var storedNext: Weighbridge?

  init(_ next: Weighbridge? = nil, _ onEnd: @escaping () -> Void) {
    storedNext = next
    canary = Canary(onEnd)
  }

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("weight", \Weighbridge.weight), .stored("next", \Weighbridge.next),
      .computed("double", \Weighbridge.double),
    ]
  }

  var weight: Int {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("weight", of: self) }
      return storedWeight
    }
    set {
      keyValueRegistrar.set(
        "weight", of: self, to: newValue, read: { storedWeight }, write: { storedWeight = $0 })
    }
  }

  var next: Weighbridge? {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("next", of: self) }
      return storedNext
    }
    set {
      keyValueRegistrar.set(
        "next", of: self, to: newValue, read: { storedNext }, write: { storedNext = $0 })
    }
  }

  var double: Int {
    if KeyValueRegistrar.isTracking { keyValueRegistrar.access("double", of: self) }
    return 2 * weight
  }
}

/// Has a computed key of which no class lists the key path.
private protocol Doubling: KeyValueObservable {
  var double: Int { get }
  var next: Self? { get }
}

extension Weighbridge: Doubling {}

extension Doubling {
  func observeNext(
    _ options: KeyValueObservation.Options,
    _ handler: @escaping (Self, KeyValueChange<Int?>) -> Void
  ) -> KeyValueObservation {
    observe(\.next?.double, options: options, changeHandler: handler)
  }
}

extension AllTests {
  @Suite("Computed keys that record their own reads")
  struct RecordedKeyTests {
    private let recorder = Recorder()

    /// How the path to the computed key is written.
    enum PathForm: CaseIterable { case typed, string, opaque }

    private func observe(
      _ root: Weighbridge, as form: PathForm, _ options: KeyValueObservation.Options
    ) throws -> KeyValueObservation {
      switch form {
      case .typed:
        root.observe(\.next?.double, options: options, changeHandler: recorder.receives("path"))
      case .string:
        try root.observe("next.double", options: options, changeHandler: recorder.receives("path"))
      case .opaque: root.observeNext(options, recorder.receives("path"))
      }
    }

    /// The did-change notifications that an observer has received.
    private func changes(of name: String) -> [String] {
      recorder.history.filter { $0.hasPrefix(name) && !$0.hasSuffix("prior") }
    }

    @Test(
      "P2, P22: a path to a computed key that records itself receives one change beside its observers",
      arguments: PathForm.allCases, [false, true])
    func inputSet(form: PathForm, isPathFirst: Bool) throws {
      let last = Weighbridge {}
      let root = Weighbridge(last) {}
      var tokens = isPathFirst ? [try observe(root, as: form, [.old, .new])] : []
      tokens.append(
        last.observe(\.double, options: [.old, .new], changeHandler: recorder.receives("key")))
      if !isPathFirst { tokens.append(try observe(root, as: form, [.old, .new])) }
      last.weight = 1
      #expect(changes(of: "key") == ["key 0→2"])
      #expect(changes(of: "path") == ["path 0→2"])
      withExtendedLifetime((tokens, root)) {}
    }

    @Test(
      "P5, P11: nor does it receive more, or keep an object, where a prior callback sets the input",
      arguments: PathForm.allCases, [false, true])
    func inputSetInPrior(form: PathForm, isPathFirst: Bool) throws {
      var endCount = 0
      do {
        let options: KeyValueObservation.Options = [.old, .new, .prior]
        let last = Weighbridge { endCount += 1 }
        let root = Weighbridge(last) { endCount += 1 }
        var tokens = isPathFirst ? [try observe(root, as: form, options)] : []
        var isSetting = true
        tokens.append(
          last.observe(\.double, options: options) { last, change in
            self.recorder.write("key", change)
            guard change.isPrior, isSetting else { return }
            isSetting = false
            last.weight = 5
          })
        if !isPathFirst { tokens.append(try observe(root, as: form, options)) }
        last.weight = 1
        last.weight = 3
        #expect(changes(of: "key") == ["key 0→10", "key 10→2", "key 2→6"])
        #expect(changes(of: "path") == ["path 0→10", "path 10→2", "path 2→6"])
        withExtendedLifetime((tokens, root)) {}
      }
      #expect(endCount == 2)
    }
  }
}
