import KeyValueObserving
import Testing

extension AllTests {
  /// Each class has a twin without the macro, which Swift initializes.
  @Suite("Initializers")
  struct InitializerTests {
    private let recorder = Recorder()

    @Test("P8: an initializer reads what it has stored, as in a plain class")
    func reads() {
      #expect(InitializedSquare(side: 3).history == PlainInitializedSquare(side: 3).history)
      #expect(
        InitializedSquare(side: 3).history == [
          "side 3", "area 12", "tags [\"a\", \"b\"]", "name 12!",
        ])
    }

    @Test("P8: a failing initializer does so, too")
    func failing() throws {
      #expect(OpenedAccount(balance: -1) == nil)
      let account = try #require(OpenedAccount(balance: 2))
      #expect(account.balance == 4 && account.log == [2])
    }

    @Test("P8: an initializer reads what it has stored where each block completes the object")
    func readsInBlocks() {
      #expect([-1, 0, 4].map { ScaledScale($0).history } == [[0, -2], [0, -1], [8, 8]])
    }

    @Test("P8: one that is not isolated as its class stores properties, as in a plain class")
    @MainActor func storesNonisolated() async {
      let made = await Task.detached { (Dial(value: 2), PlainDial(value: 2)) }.value
      #expect(made.0.history == ["2", "3 []"] && made.0.history == made.1.history)
      #expect(made.0.value == 3 && made.1.value == 3)
      let token = made.0.observe(
        \.value, options: [.old, .new], changeHandler: recorder.receives("value"))
      made.0.value = 4
      #expect(recorder.take() == ["value 3→4"])
      token.invalidate()
    }

    @Test("P8: observers receive what an initializer sets once the object is complete")
    func notifies() {
      let counter = StartedCounter(recorder, from: 2)
      #expect(recorder.take() == ["count →3"])
      counter.count += 1
      #expect(recorder.take() == ["count →4"])
    }

    @Test("P8: they also do where a block completes the object")
    func notifiesFromBlock() throws {
      let list = try ReadList(recorder, "a")
      #expect(recorder.take() == ["lines →[\"a\"]"])
      #expect(list.name == "a" && list.lines == ["a"])
    }
  }
}

@MainActor
@KeyValueObservable
private final class Dial {
  var value: Int { didSet { history.append("set") } }
  var marks: [Int] = []
  @KeyValueIgnored var history: [String]

  nonisolated init(value: Int) {
    self.value = value
    history = ["\(self.value)"]
    self.value += 1
    history.append("\(self.value) \(marks)")
    marks = [1]
  }
}

@MainActor
private final class PlainDial {
  var value: Int { didSet { history.append("set") } }
  var marks: [Int] = []
  var history: [String]

  nonisolated init(value: Int) {
    self.value = value
    history = ["\(self.value)"]
    self.value += 1
    history.append("\(self.value) \(marks)")
    marks = [1]
  }
}

private class InitializedShape {
  let history: [String]
  init(_ history: String...) { self.history = history }
}

@KeyValueObservable
private final class InitializedSquare: InitializedShape {
  var side: Int
  var area: Int
  var tags: [String] = ["a"]
  weak var parent: InitializedSquare?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var name: String!

  init(side: Int) {
    self.side = side
    area = 0
    for _ in 0..<4 { area += self.side }
    tags.append("b")
    if let parent { area += parent.area }
    name = "\(area)"
    name += "!"
    super.init("side \(self.side)", "area \(area)", "tags \(tags)", "name \(name!)")
  }
}

private final class PlainInitializedSquare: InitializedShape {
  var side: Int
  var area: Int
  var tags: [String] = ["a"]
  weak var parent: PlainInitializedSquare?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var name: String!

  init(side: Int) {
    self.side = side
    area = 0
    for _ in 0..<4 { area += self.side }
    tags.append("b")
    if let parent { area += parent.area }
    name = "\(area)"
    name += "!"
    super.init("side \(self.side)", "area \(area)", "tags \(tags)", "name \(name!)")
  }
}

@KeyValueObservable
private class OpenedAccount {
  var balance: Int
  let log: [Int]

  init?(balance: Int) {
    self.balance = balance
    guard self.balance > 0 else { return nil }
    log = [self.balance]
    self.balance *= 2
  }
}

@KeyValueObservable
private final class ScaledScale {
  var size: Int
  var factor: Int?
  var scaled: Int
  var history: [Int] { [scaled, size] }

  init(_ size: Int) {
    self.size = size
    if self.size > 0 { factor = 2 }
    guard let factor else {
      scaled = 0
      self.size -= 1
      return
    }
    switch self.size {
    case 1: scaled = self.size
    default:
      scaled = self.size * factor
      self.size = scaled
    }
  }
}

@KeyValueObservable
private final class StartedCounter {
  var count: Int
  let start: Int
  private var token: KeyValueObservation?

  init(_ recorder: Recorder, from first: Int) {
    count = first
    start = count
    token = observe(\.count, options: .new, changeHandler: recorder.receives("count"))
    count = start + 1
  }
}

@KeyValueObservable
private final class ReadList {
  struct Missing: Error {}

  let name: String
  var lines: [String] = []
  private var token: KeyValueObservation?

  init(_ recorder: Recorder, _ first: String?) throws {
    do {
      guard let first else { throw Missing() }
      name = first
      token = observe(\.lines, options: .new, changeHandler: recorder.receives("lines"))
      lines.append(first)
    }
  }
}
