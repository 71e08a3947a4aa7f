import KeyValueObserving
import TestSupport
import Testing

@KeyValueObservable
private final class Part {
  var x = 0
  var y = 0
  var items: [Int] = []
  var next: Part?
  weak var friend: Part?
  var sum: Int { x + y }
  var total: Int { sum + items.count + (next?.sum ?? 0) }

  /// All that can be read.
  var state: [String] {
    [
      "\(x)", "\(y)", "\(items)", next.map { "\(ObjectIdentifier($0))" } ?? "nil",
      friend.map { "\(ObjectIdentifier($0))" } ?? "nil", "\(sum)", "\(total)",
    ]
  }
}

/// The changes that one observation has received, and whether they fit together.
private final class Stream {
  let name: String
  let read: () -> String
  private(set) var last: String
  private(set) var count = 0
  private(set) var openPriors = 0
  private(set) var faults: [String] = []
  let receivesPriors: Bool

  init(_ name: String, receivesPriors: Bool, read: @escaping () -> String) {
    self.name = name
    self.read = read
    self.receivesPriors = receivesPriors
    last = read()
  }

  func receive<Value>(_ change: KeyValueChange<Value>) {
    let old = change.oldValue.map { "\($0)" } ?? "-"
    if change.isPrior {
      openPriors += 1
      return
    }
    count += 1
    if receivesPriors {
      openPriors -= 1
      if openPriors != 0 { faults.append("\(name): \(openPriors + 1) prior notifications") }
    }
    if old != last { faults.append("\(name): old value \(old) after \(last)") }
    last = change.newValue.map { "\($0)" } ?? "-"
  }

  func finish(isRolledBack: Bool, limit: Int) {
    if openPriors != 0 { faults.append("\(name): a prior notification without its change") }
    if last != read() { faults.append("\(name): received \(last), is \(read())") }
    if count > limit { faults.append("\(name): \(count) changes") }
    if isRolledBack, !receivesPriors, count > 0 {
      faults.append("\(name): \(count) changes, rolled back")
    }
    count = 0
  }
}

/// Runs random transactions on a few objects, and looks at what observers receive.
private struct RandomTransactions {
  private var random: SplitMix
  private let parts = (0..<4).map { _ in Part() }
  private var tokens: [KeyValueObservation] = []
  private(set) var streams: [Stream] = []
  var trace: ((String) -> Void)?

  /// Whether each object is still there, when it is asked.
  var survivors: [() -> Bool] { parts.map { part in { [weak part] in part != nil } } }

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    for (index, part) in parts.enumerated() {
      part.next = index < 3 ? parts[index + 1] : nil
    }
  }

  private mutating func observe() {
    let part = parts[Int.random(in: 0..<4, using: &random)]
    let receivesPriors = Int.random(in: 0..<4, using: &random) == 0
    let options: KeyValueObservation.Options =
      receivesPriors ? [.old, .new, .prior] : [.old, .new]
    func add<Value>(_ keyPath: KeyPath<Part, Value>, _ name: String) {
      trace?("observe \(name) \(receivesPriors)")
      let stream = Stream(name, receivesPriors: receivesPriors) { "\(part[keyPath: keyPath])" }
      streams.append(stream)
      tokens.append(
        part.observe(keyPath, options: options) { [trace] _, change in
          trace?("  \(name) \(change)")
          stream.receive(change)
        })
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: add(\.x, "x")
    case 1: add(\.y, "y")
    case 2: add(\.items, "items")
    case 3: add(\.sum, "sum")
    case 4: add(\.total, "total")
    case 5: add(\.next?.x, "next.x")
    case 6: add(\.next?.sum, "next.sum")
    default: add(\.next?.next?.y, "next.next.y")
    }
  }

  private mutating func step(depth: Int) throws {
    let place = Int.random(in: 0..<4, using: &random)
    let part = parts[place]
    let value = Int.random(in: 0..<9, using: &random)
    let kind = Int.random(in: 0..<11, using: &random)
    trace?("\(depth) p\(place) kind \(kind) value \(value)")
    switch kind {
    case 0, 1: part.x = value
    case 2: part.y = value
    case 3: part.items.append(value)
    case 4: part.items = [value]
    case 5: part.next = value < 4 ? parts[value] : nil
    case 6: part.friend = value < 4 ? parts[value] : nil
    case 7: part.withMutation(of: \.x) { part.x = value }
    case 8 where depth < 3: try? transaction(depth: depth + 1)
    case 9: observe()
    case 10 where value == 0: throw Refused()
    default: _ = part.total
    }
  }

  mutating func transaction(depth: Int = 0) throws {
    var copy = self
    defer { self = copy }
    let before = parts.map(\.state)
    trace?("begin \(depth)")
    defer { copy.trace?("end \(depth)") }
    do {
      try withKeyValueTransaction {
        for _ in 0..<Int.random(in: 0..<8, using: &copy.random) { try copy.step(depth: depth) }
      }
    } catch {
      let after = copy.parts.map(\.state)
      #expect(after == before)
      throw error
    }
  }

  /// Returns what does not fit together.
  mutating func run() -> [String] {
    for _ in 0..<8 { observe() }
    for _ in 0..<6 {
      let registered = streams.count
      var isRolledBack = false
      do { try transaction() } catch { isRolledBack = true }
      for (index, stream) in streams.enumerated() {
        stream.finish(isRolledBack: isRolledBack && index < registered, limit: 1)
      }
    }
    for _ in 0..<4 {
      let part = parts[Int.random(in: 0..<4, using: &random)]
      part.x += 1
      part.next = nil
    }
    for part in parts { part.next = nil }
    for stream in streams { stream.finish(isRolledBack: false, limit: .max) }
    withExtendedLifetime(tokens) {}
    return streams.flatMap(\.faults)
  }
}

@Suite struct RandomTransactionTests {
  @Test("P44, P47, P50, P53: old values chain, one change each, and a rollback restores everything")
  func random() {
    for seed in 0..<2000 {
      var faults: [String] = []
      var survivors: [() -> Bool] = []
      do {
        var program = RandomTransactions(seed: UInt64(seed))
        survivors = program.survivors
        faults = program.run()
      }
      // A transaction keeps objects until its end (P54).
      if survivors.contains(where: { $0() }) { faults.append("an object outlives the program") }
      if faults.isEmpty { continue }
      Issue.record("seed \(seed): \(faults)")
      var again = RandomTransactions(seed: UInt64(seed))
      again.trace = { print($0) }
      _ = again.run()
      return
    }
  }
}
